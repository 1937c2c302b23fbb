import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { describeOrder, type Order, type OrderStep, stepOf } from './order-steps.ts';
import { untouched } from './send-order.ts';
import {
  cancelSession,
  createSession,
  idPointers,
  readSession,
  sessionOf,
  shownBy,
  shownByCreate,
} from './session-evidence.ts';

/**
 * What is known of a session: nobody can have ended it; it was cancelled; or it may have ended, as others were created
 * or cancelled since, which the contract does not rule out, or as nobody knows what a call did.
 */
type Knowledge = 'live' | 'ended' | 'doubtful';

/** An answer that no lawful service gives at its place. */
export interface WrongAnswer extends Pick<Violation, 'statement' | 'expected' | 'actual' | 'exchange'> {
  /** The calls up to this one. */
  readonly order: Order;
  /** Milliseconds since its session was created. */
  readonly age: number;
  /**
   * Something else may have ended the session, such as time. Counts only where a session that was left alone for as
   * long is still open.
   */
  readonly mayHaveOtherCauses: boolean;
}

/** What is lawful at one place. */
interface Rule {
  readonly statement: string;
  readonly statuses: readonly number[];
}

/** The declared errors; which of these a session gets may be a matter of time or of others. */
const declaredErrors = [400, 401, 403, 404, 409];

/** Plays the calls of one attempt through a model that knows only what the contract fixes; the most reliable first. */
export function wrongAnswers(exchanges: readonly Exchange[]): readonly WrongAnswer[] {
  const known = new Map<string, Knowledge>();
  const bornAt = new Map<string, number>();
  const creations = new Map<string, Exchange>();
  const wrong: WrongAnswer[] = [];
  const sent: string[] = [];
  let order: OrderStep[] = [];
  let hasCreated = false;

  const doubtAllBut = (id: string | undefined): void => {
    for (const [other, knowledge] of known) {
      if (other !== id && knowledge === 'live') known.set(other, 'doubtful');
    }
  };

  exchanges.forEach((exchange, at) => {
    const { role, operation, label } = exchange;
    const step = role === 'probe' || role === 'reduction' ? stepOf(label) : undefined;
    const status = statusOf(exchange);
    const id = operation === createSession ? idOfCreated(exchanges, at) : sessionOf(exchange);
    const knowledge = known.get(id ?? '') ?? 'doubtful';
    const isRepeated = knowledge !== 'ended' && status === 404 && isAskedAgain(exchanges, at);
    if (step !== undefined) {
      if (label === 'create A') order = [];
      if (status !== 429 && !isRepeated) {
        order = [...order, step];
        sent.push(describeOrder(order));
      }
      const rule = ruleFor(step, knowledge);
      const isTested = status !== 429 && !(step.act === 'create' && !hasCreated) && !isRepeated;
      // Only of sessions that are older: a session that was replaced may name the one that stands for it.
      const ids = [...creations.keys()];
      const others = id === undefined ? [] : ids.slice(0, Math.max(0, ids.indexOf(id)));
      const isAnswered = status !== undefined && rule.statuses.includes(status);
      const found = {
        order,
        age: Date.parse(exchange.startedAt) - (bornAt.get(id ?? '') ?? Date.parse(exchange.startedAt)),
        exchange,
      };
      if (isTested && !isAnswered) {
        wrong.push({
          ...found,
          statement: rule.statement,
          expected: listed(rule.statuses),
          actual: describeAnswer(exchange),
          mayHaveOtherCauses: knowledge !== 'ended' && declaredErrors.includes(status ?? 0),
        });
      } else if (showsAnother(exchange, creations.get(id ?? ''), others)) {
        wrong.push({
          ...found,
          statement: 'an answer is about the session that was asked for',
          expected: '200, and the id of that session',
          actual: '200, and the id of another session',
          mayHaveOtherCauses: false,
        });
      }
    }
    if (operation === createSession) {
      doubtAllBut(id);
      if (status !== 200) return;
      hasCreated = true;
      if (id === undefined) return;
      // Equal creates may give one session, which may have been cancelled in between.
      if (knowledge === 'live' || !known.has(id)) known.set(id, 'live');
      else known.set(id, 'doubtful');
      if (!bornAt.has(id)) bornAt.set(id, Date.parse(exchange.startedAt));
      creations.set(id, exchange);
    } else if (operation === cancelSession && id !== undefined) {
      const isRefused = step?.wrong !== undefined && (status === 401 || status === 403);
      if (isRefused || isRepeated) return;
      if (status === 200) {
        known.set(id, 'ended');
        doubtAllBut(id);
      } else if (status === 404 || status === 409) {
        known.set(id, knowledge === 'live' ? 'doubtful' : 'ended');
      } else known.set(id, 'doubtful');
    }
  });
  return byReliability(wrong, sent);
}

/**
 * Those first whose order was always answered wrongly, and of these the shortest: what an earlier order left behind
 * may show anywhere, and then most often does not.
 */
function byReliability(wrong: readonly WrongAnswer[], sent: readonly string[]): readonly WrongAnswer[] {
  const texts = wrong.map(({ order }) => describeOrder(order));
  const countIn = (list: readonly string[], text: string): number =>
    list.filter((one) => one === text).length;
  return wrong
    .map((answer, at) => {
      const text = texts[at] ?? '';
      return { answer, share: countIn(texts, text) / countIn(sent, text) };
    })
    .sort((a, b) => b.share - a.share || a.answer.order.length - b.answer.order.length)
    .map(({ answer }) => answer);
}

/** Milliseconds for which a session that was left alone is known to have stayed open; undefined where none did. */
export function longestLeftAlone(exchanges: readonly Exchange[]): number | undefined {
  const answered = exchanges.filter((exchange) => statusOf(exchange) === 200);
  const ages = answered.flatMap((created, at) => {
    if (created.label !== untouched.create) return [];
    const [read, cancel] = answered.slice(at + 1);
    if (read?.label !== untouched.read || cancel?.label !== untouched.cancel) return [];
    return [Date.parse(cancel.startedAt) - Date.parse(created.startedAt)];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}

function ruleFor({ act, wrong }: OrderStep, knowledge: Knowledge): Rule {
  if (act === 'create')
    return { statement: 'a session can be created, whatever became of others', statuses: [200, 409] };
  if (act === 'read' && wrong !== undefined) {
    return {
      statement: 'a read with wrong credentials is refused',
      statuses: knowledge === 'live' ? [401, 403] : [401, 403, 404],
    };
  }
  if (act === 'read') {
    if (knowledge === 'live')
      return { statement: 'a session that nobody cancelled can be read', statuses: [200] };
    return { statement: 'a cancelled session can be read, or is not found', statuses: [200, 404] };
  }
  if (wrong !== undefined) {
    return {
      statement: 'a cancel with wrong credentials is refused',
      statuses: knowledge === 'live' ? [401, 403] : [401, 403, 404, 409],
    };
  }
  if (knowledge === 'live')
    return { statement: 'a session that nobody cancelled can be cancelled', statuses: [200] };
  return { statement: 'a session that is cancelled already is answered so', statuses: [200, 404, 409] };
}

/** The id of a session is the one that later steps of its order use. */
function idOfCreated(exchanges: readonly Exchange[], at: number): string | undefined {
  const created = exchanges[at];
  if (created === undefined) return undefined;
  const { role, label } = created;
  if (role === 'control')
    return exchanges
      .slice(at)
      .map(sessionOf)
      .find((id) => id !== undefined);
  const session = stepOf(label)?.session;
  for (const later of exchanges.slice(at + 1)) {
    if (later.label === 'create A' || later.label === label) return undefined;
    const isOfOrder = later.role === 'probe' || later.role === 'reduction';
    if (isOfOrder && later.operation !== createSession && stepOf(later.label)?.session === session)
      return sessionOf(later);
  }
  return undefined;
}

/** The same read or cancel was made once more, after a pause: its last answer counts. */
function isAskedAgain(exchanges: readonly Exchange[], at: number): boolean {
  const [one, next] = [exchanges[at], exchanges[at + 1]];
  return (
    one !== undefined &&
    next !== undefined &&
    [readSession, cancelSession].includes(next.operation) &&
    next.operation === one.operation &&
    next.label === one.label &&
    sessionOf(next) === sessionOf(one)
  );
}

/** Where the create of a session showed its id, the answer shows that of another one. */
function showsAnother(
  exchange: Exchange,
  creation: Exchange | undefined,
  others: readonly string[],
): boolean {
  const id = sessionOf(exchange);
  const created = shownByCreate(creation);
  const shown = shownBy(exchange);
  if (id === undefined || created === undefined || shown === undefined) return false;
  return idPointers(created, id).some((pointer) => others.includes(String(shown.get(pointer) ?? '')));
}

function listed(statuses: readonly number[]): string {
  const [last] = statuses.slice(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')} or ${last}`;
}
