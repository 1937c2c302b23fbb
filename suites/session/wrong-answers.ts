import type { Evidence } from '../../harness/checks/check.ts';
import { unexpected } from '../../harness/checks/outcomes.ts';
import { isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { callKey } from '../../harness/evidence/call-key.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { callOf, isFirstCall, type SequenceCall, sequenceOf } from './call-sequence.ts';
import { bodyFields, fieldsOf, hasStatus, idPointers, sessionIdOf } from './session-evidence.ts';

/** A response that no conforming service gives at its place in a sequence. */
export interface WrongAnswer extends Violation {
  /** The calls up to this one. */
  readonly sequence: string;
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

type Attempt = Pick<Evidence, 'exchanges' | 'operation'>;

/** What is known of a session. */
interface Known {
  /**
   * `unknown`: other sessions were created or cancelled since, which may end it as far as the contract says, or a call
   * had an unknown effect.
   */
  state: 'open' | 'ended' | 'unknown';
  /** The last create that returned it, and when the first did. */
  creation?: Exchange;
  createdAt?: number;
}

/** The declared errors, which time or other sessions may cause. */
const declaredErrors = [400, 401, 403, 404, 409];

/** Different wrong answers that a case reports at most. */
const mostFindings = 3;

/** Evaluates the calls of one attempt against a model that knows only what the contract fixes; the most reliable first. */
export function wrongAnswers({ exchanges, operation }: Attempt): readonly WrongAnswer[] {
  const { 'creates-session': create, 'ends-session': cancel } = operation.peers ?? {};
  const sessions = new Map<string, Known>();
  const wrong: WrongAnswer[] = [];
  const sent: string[] = [];
  let steps: readonly Exchange[] = [];
  let hasCreated = false;

  const evaluate = (exchange: Exchange, call: SequenceCall, known: Known): void => {
    if (isFirstCall(exchange)) steps = [];
    // A limiter or a firewall in front says nothing of sessions.
    if (hasStatus(exchange, 429)) return;
    const sequence = sequenceOf(exchange) ?? '';
    sent.push(sequence);
    steps = [...steps, exchange];
    const [statement, ...statuses] = ruleFor(call, known.state === 'open');
    const isTested = !isBlockedInFront(exchange, true) && (call.act !== 'create' || hasCreated);
    const isDeclared = declaredErrors.includes(statusOf(exchange) ?? 0);
    const startedAt = Date.parse(exchange.startedAt);
    const place = { sequence, steps, age: startedAt - (known.createdAt ?? startedAt) };
    const ids = [...sessions.keys()];
    // Only ids of older sessions count: a session that was replaced may name its replacement.
    const older = ids.slice(0, Math.max(0, ids.indexOf(sessionIdOf(exchange) ?? '')));
    if (isTested && !hasStatus(exchange, ...statuses)) {
      const mayHaveOtherCauses = known.state !== 'ended' && isDeclared;
      wrong.push({ ...unexpected(statement, listed(statuses), exchange), ...place, mayHaveOtherCauses });
    } else if (showsIdOf(older, exchange, known.creation)) {
      wrong.push({
        statement: 'A response shows another session than the requested one',
        expected: '200, and the id of that session',
        actual: '200, and the id of another session',
        exchange,
        ...place,
        mayHaveOtherCauses: false,
      });
    }
  };

  const learn = (exchange: Exchange, call: SequenceCall | undefined, id: string, known: Known): void => {
    const isOk = hasStatus(exchange, 200);
    const isCreate = exchange.operation === create;
    const isRefused = call?.credential !== undefined && hasStatus(exchange, 401, 403);
    if (!isCreate && (exchange.operation !== cancel || id === '' || isRefused)) return;
    if (isCreate || isOk)
      for (const other of sessions.values())
        if (other !== known && other.state === 'open') other.state = 'unknown';
    if (isCreate) {
      hasCreated ||= isOk;
      if (!isOk || id === '') return;
      // Equal creates may return one session, which may have been cancelled in between.
      known.state = known.state === 'open' || !sessions.has(id) ? 'open' : 'unknown';
      known.createdAt ??= Date.parse(exchange.startedAt);
      known.creation = exchange;
    } else {
      const isEnded = isOk || (hasStatus(exchange, 404, 409) && known.state !== 'open');
      known.state = isEnded ? 'ended' : 'unknown';
    }
    sessions.set(id, known);
  };

  exchanges.forEach((exchange, at) => {
    const isCreate = exchange.operation === create;
    const id = (isCreate ? idOfCreated(exchanges.slice(at), create) : sessionIdOf(exchange)) ?? '';
    const known = sessions.get(id) ?? { state: 'unknown' };
    const isNotFound = known.state !== 'ended' && hasStatus(exchange, 404) && !isCreate;
    if (isNotFound && isRetried(exchange, exchanges[at + 1])) return;
    const call = callOf(exchange);
    if (call !== undefined) evaluate(exchange, call, known);
    learn(exchange, call, id, known);
  });
  return byReliability(wrong, sent);
}

/** The defect that any other than these statuses shows at one place of a sequence. */
function ruleFor({ act, credential }: SequenceCall, isOpen: boolean): [defect: string, ...number[]] {
  const isWrong = credential !== undefined;
  switch (act) {
    case 'create':
      return ['A session could not be created after calls on other sessions', 200, 409];
    case 'read':
      if (isWrong)
        return ['A read with wrong credentials was not refused', 401, 403, ...(isOpen ? [] : [404])];
      if (isOpen) return ['An open session could not be read', 200];
      return ['A cancelled session was neither read nor reported as not found', 200, 404];
    case 'cancel':
      if (isWrong)
        return ['A cancel with wrong credentials was not refused', 401, 403, ...(isOpen ? [] : [404, 409])];
      if (isOpen) return ['An open session could not be cancelled', 200];
      return ['A repeated cancel was answered with an unexpected status', 200, 404, 409];
  }
}

/** The certain wrong answers of the operation of a case, one of each kind. */
export function certainWrongAnswers(attempt: Attempt): readonly WrongAnswer[] {
  const byKind = new Map<string, WrongAnswer>();
  for (const answer of wrongAnswers(attempt)) {
    const isOwn = answer.exchange.operation === attempt.operation.id;
    if (isOwn && isCertain(answer, attempt.exchanges) && !byKind.has(kindOf(answer)))
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
  return [exchange.operation, callOf(exchange)?.credential !== undefined, actual].join(' ');
}

/** How long a session that was left alone stayed open, in milliseconds; undefined where none did. */
export function longestLeftAlone(exchanges: readonly Exchange[]): number | undefined {
  const answered = exchanges.filter((exchange) => hasStatus(exchange, 200));
  const ages = answered.flatMap((created, at) => {
    const steps = answered.slice(at, at + 3).map(({ step }) => step);
    const last = answered[at + 2];
    return last && steps.join() === 'comparisonCreate,comparisonRead,comparisonCancel'
      ? [Date.parse(last.startedAt) - Date.parse(created.startedAt)]
      : [];
  });
  return ages.length === 0 ? undefined : Math.max(...ages);
}

/**
 * Sequences that were always answered wrongly first, and the shortest of these: effects of an earlier sequence can show
 * in a later one, but rarely show every time.
 */
function byReliability(wrong: readonly WrongAnswer[], sent: readonly string[]): readonly WrongAnswer[] {
  const count = (all: readonly string[], text: string): number => all.filter((one) => one === text).length;
  const texts = wrong.map(({ sequence }) => sequence);
  const share = ({ sequence }: WrongAnswer): number => count(texts, sequence) / count(sent, sequence);
  return [...wrong].sort((a, b) => share(b) - share(a) || a.steps.length - b.steps.length);
}

/** The id of a session whose create is the first of these exchanges: the one that later calls of its sequence or comparison use. */
function idOfCreated(
  [created, ...later]: readonly Exchange[],
  create: string | undefined,
): string | undefined {
  const session = created && callOf(created)?.session;
  for (const one of later) {
    const isAgain = created !== undefined && callKey(one) === callKey(created);
    if (session !== undefined && (isFirstCall(one) || isAgain)) return undefined;
    if (one.operation !== create && callOf(one)?.session === session) return sessionIdOf(one);
  }
  return undefined;
}

/** Whether the same read or cancel follows, whose response counts instead. */
function isRetried(one: Exchange, next: Exchange | undefined): boolean {
  return (
    next?.operation === one.operation &&
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
