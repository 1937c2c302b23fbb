import type { Evidence } from '../../harness/checks/check.ts';
import { describeAnswer, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { callKey } from '../../harness/evidence/call-key.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallSequence, describeSequence, type SequenceCall } from './call-sequence.ts';
import { type Knowledge, ruleFor } from './sequence-rules.ts';
import { sequenceSteps } from './sequence-runner.ts';
import { bodyFields, fieldsOf, hasStatus, idPointers, sessionIdOf } from './session-exchange.ts';

/** A response that no conforming service gives at its place in a sequence. */
export interface WrongAnswer extends Pick<Violation, 'statement' | 'expected' | 'actual' | 'exchange'> {
  /** The calls up to this one. */
  readonly sequence: CallSequence;
  /** The exchanges of these calls. */
  readonly steps: readonly Exchange[];
  /** Milliseconds since the create of its session. */
  readonly age: number;
  /**
   * Whether something else may have ended the session, such as time. Counts only if a session that was left alone for
   * as long is still open.
   */
  readonly mayHaveOtherCauses: boolean;
}

/** The declared errors, which time or other sessions may cause. */
const declaredErrors = [400, 401, 403, 404, 409];

/** Different wrong answers that a case reports at most. */
const mostFindings = 3;

/** Evaluates the calls of one attempt against a model that knows only what the contract fixes; the most reliable first. */
export function wrongAnswers({
  exchanges,
  operation,
}: Pick<Evidence, 'exchanges' | 'operation'>): readonly WrongAnswer[] {
  const { peers = {} } = operation;
  const create = peers['creates-session'];
  const cancel = peers['ends-session'];
  const known = new Map<string, Knowledge>();
  const createdAt = new Map<string, number>();
  const creations = new Map<string, Exchange>();
  const wrong: WrongAnswer[] = [];
  const sent: string[] = [];
  let sequence: CallSequence = [];
  let steps: readonly Exchange[] = [];
  let hasCreated = false;

  const doubtOthers = (id: string | undefined): void => {
    for (const [other, knowledge] of known) {
      if (other !== id && knowledge === 'open') known.set(other, 'unknown');
    }
  };

  const evaluate = (exchange: Exchange, call: SequenceCall, id: string, knowledge: Knowledge): void => {
    const status = statusOf(exchange);
    const rule = ruleFor(call, knowledge);
    const startedAt = Date.parse(exchange.startedAt);
    const found = { sequence, steps, age: startedAt - (createdAt.get(id) ?? startedAt), exchange };
    // A limiter or a firewall in front says nothing of sessions.
    const isInFront = status === 429 || isBlockedInFront(exchange, true);
    const isTested = !isInFront && (call.act !== 'create' || hasCreated);
    // Only ids of older sessions count: a session that was replaced may name its replacement.
    const ids = [...creations.keys()];
    const older = ids.slice(0, Math.max(0, ids.indexOf(id)));
    if (isTested && !hasStatus(exchange, ...rule.statuses)) {
      wrong.push({
        ...found,
        statement: rule.defect,
        expected: listed(rule.statuses),
        actual: describeAnswer(exchange),
        mayHaveOtherCauses: knowledge !== 'ended' && declaredErrors.includes(status ?? 0),
      });
    } else if (showsIdOf(older, exchange, creations.get(id))) {
      wrong.push({
        ...found,
        statement: 'A response shows another session than the requested one',
        expected: '200, and the id of that session',
        actual: '200, and the id of another session',
        mayHaveOtherCauses: false,
      });
    }
  };

  const learn = (exchange: Exchange, call: SequenceCall | undefined, id: string | undefined): void => {
    const status = statusOf(exchange);
    const knowledge = known.get(id ?? '') ?? 'unknown';
    if (exchange.operation === create) {
      doubtOthers(id);
      if (status !== 200) return;
      hasCreated = true;
      if (id === undefined) return;
      // Equal creates may return one session, which may have been cancelled in between.
      known.set(id, knowledge === 'open' || !known.has(id) ? 'open' : 'unknown');
      if (!createdAt.has(id)) createdAt.set(id, Date.parse(exchange.startedAt));
      creations.set(id, exchange);
    } else if (exchange.operation === cancel && id !== undefined) {
      const isRefused = call?.credential !== undefined && (status === 401 || status === 403);
      if (isRefused) return;
      if (status === 200) {
        known.set(id, 'ended');
        doubtOthers(id);
      } else if (status === 404 || status === 409) known.set(id, knowledge === 'open' ? 'unknown' : 'ended');
      else known.set(id, 'unknown');
    }
  };

  exchanges.forEach((exchange, at) => {
    const isCreate = exchange.operation === create;
    const id = isCreate ? idOfCreated(exchanges, at, create) : sessionIdOf(exchange);
    const knowledge = known.get(id ?? '') ?? 'unknown';
    const call = callOf(exchange);
    const isRetried =
      knowledge !== 'ended' && hasStatus(exchange, 404) && !isCreate && isRetriedAt(exchanges, at);
    if (call !== undefined) {
      if (beginsSequence(exchange)) [sequence, steps] = [[], []];
      if (statusOf(exchange) !== 429 && !isRetried) {
        sequence = [...sequence, call];
        steps = [...steps, exchange];
        sent.push(describeSequence(sequence));
      }
      if (!isRetried) evaluate(exchange, call, id ?? '', knowledge);
    }
    if (!isRetried) learn(exchange, call, id);
  });
  return byReliability(wrong, sent);
}

/** The certain wrong answers of the operation of a case, one of each kind. */
export function certainWrongAnswers(
  evidence: Pick<Evidence, 'exchanges' | 'operation'>,
): readonly WrongAnswer[] {
  const byKind = new Map<string, WrongAnswer>();
  for (const answer of wrongAnswers(evidence)) {
    const isOwn = answer.exchange.operation === evidence.operation.id;
    if (isOwn && isCertain(answer, evidence.exchanges) && !byKind.has(kindOf(answer)))
      byKind.set(kindOf(answer), answer);
  }
  return [...byKind.values()].slice(0, mostFindings);
}

/** Whether only the sequence can have caused a wrong answer. */
export function isCertain(answer: WrongAnswer, exchanges: readonly Exchange[]): boolean {
  return !answer.mayHaveOtherCauses || answer.age <= (longestLeftAlone(exchanges) ?? -1);
}

/** The operation, credentials and response of a wrong answer; equal for answers with the same defect. */
export function kindOf({ exchange, actual }: WrongAnswer): string {
  return [exchange.operation, exchange.row?.['credential'] !== undefined, actual].join(' ');
}

/** How long a session that was left alone stayed open, in milliseconds; undefined where none did. */
export function longestLeftAlone(exchanges: readonly Exchange[]): number | undefined {
  const answered = exchanges.filter((exchange) => hasStatus(exchange, 200));
  const ages = answered.flatMap((created, at) => {
    if (created.step !== sequenceSteps.comparisonCreate.step) return [];
    const [read, cancel] = answered.slice(at + 1);
    if (read?.step !== sequenceSteps.comparisonRead.step) return [];
    if (cancel?.step !== sequenceSteps.comparisonCancel.step) return [];
    return [Date.parse(cancel.startedAt) - Date.parse(created.startedAt)];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}

/** The call of a sequence that an exchange belongs to. */
function callOf({ step, row }: Exchange): SequenceCall | undefined {
  const isOfSequence = step === sequenceSteps.call.step || step === sequenceSteps.simplifiedCall.step;
  return isOfSequence ? (row as SequenceCall | undefined) : undefined;
}

/** Whether a call creates session A, with which every sequence begins. */
export function beginsSequence({ row }: Exchange): boolean {
  return row?.['act'] === 'create' && row['session'] === 'A';
}

/**
 * Sequences that were always answered wrongly first, and the shortest of these: effects of an earlier sequence can show
 * in a later one, but rarely show every time.
 */
function byReliability(wrong: readonly WrongAnswer[], sent: readonly string[]): readonly WrongAnswer[] {
  const texts = wrong.map(({ sequence }) => describeSequence(sequence));
  const countIn = (list: readonly string[], text: string): number =>
    list.filter((one) => one === text).length;
  return wrong
    .map((answer, at) => {
      const text = texts[at] ?? '';
      return { answer, share: countIn(texts, text) / countIn(sent, text) };
    })
    .sort((a, b) => b.share - a.share || a.answer.sequence.length - b.answer.sequence.length)
    .map(({ answer }) => answer);
}

/** The id of a created session: the id that later calls of its sequence use. */
function idOfCreated(
  exchanges: readonly Exchange[],
  at: number,
  create: string | undefined,
): string | undefined {
  const created = exchanges[at];
  if (created === undefined) return undefined;
  if (created.role === 'control') {
    return exchanges
      .slice(at)
      .map(sessionIdOf)
      .find((id) => id !== undefined);
  }
  const session = callOf(created)?.session;
  for (const later of exchanges.slice(at + 1)) {
    if (beginsSequence(later) || callKey(later) === callKey(created)) return undefined;
    if (later.operation !== create && callOf(later) !== undefined && callOf(later)?.session === session)
      return sessionIdOf(later);
  }
  return undefined;
}

/** Whether the same read or cancel follows, whose response counts instead. */
function isRetriedAt(exchanges: readonly Exchange[], at: number): boolean {
  const [one, next] = [exchanges[at], exchanges[at + 1]];
  return (
    one !== undefined &&
    next !== undefined &&
    next.operation === one.operation &&
    callKey(next) === callKey(one) &&
    sessionIdOf(next) === sessionIdOf(one)
  );
}

/** Whether a response shows one of these ids where the create of its session showed the id of that session. */
function showsIdOf(ids: readonly string[], exchange: Exchange, creation: Exchange | undefined): boolean {
  const id = sessionIdOf(exchange);
  const created = bodyFields(creation);
  const shown = fieldsOf(exchange);
  if (id === undefined || created === undefined || shown === undefined) return false;
  return idPointers(created, id).some((pointer) => ids.includes(String(shown.get(pointer) ?? '')));
}

function listed(statuses: readonly number[]): string {
  const [last] = statuses.slice(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')} or ${last}`;
}
