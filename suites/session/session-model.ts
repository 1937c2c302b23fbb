import { unexpected } from '../../harness/checks/outcomes.ts';
import { isBlockedInFront, startOf } from '../../harness/evidence/answer.ts';
import { callKey } from '../../harness/evidence/call-key.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { anotherSession } from '../../harness/results/causes/cause-fixes.ts';
import {
  fieldsOf,
  hasStatus,
  hasWrongBody,
  isWrongCall,
  type SessionEvidence,
  sessionIdOf,
} from './session-evidence.ts';
import { type Change, changedAsBy, changesOf } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { cancelChanges } from './session-life.ts';

/** A response that contradicts what the calls before it have made of its session. */
export interface Contradiction extends Violation {
  /**
   * `status`: a call may not get it, whatever happened to other sessions. `stays open`: neither refused cancels nor calls
   * on other sessions may end a session. `identity`: a response shows the session that it is about.
   */
  readonly rule: 'status' | 'stays open' | 'identity';
  /** What may have ended the session: refused cancels of it, and creates and cancels of others. */
  readonly since: readonly Exchange[];
  /** The last read before these. */
  readonly before?: Exchange | undefined;
  /** Milliseconds since the create of the session. */
  readonly age: number;
  /** Whether something else may have caused it, such as time: an untouched session can show that. */
  readonly isDoubtful: boolean;
}

/** A session at one place of a story. */
interface Known extends Pick<Contradiction, 'since' | 'before'> {
  /** `unknown`: a call had an unknown effect, or a create returned the session after its cancel. */
  readonly state: 'open' | 'ended' | 'unknown';
  readonly createdAt?: number;
  readonly lastRead?: Exchange;
}

/** The defect that any other than these statuses shows. */
type Expected = readonly [defect: string, ...statuses: readonly number[]];

/** The declared errors, which time or other sessions may cause. */
const declaredErrors = [400, 401, 403, 404, 409];

/** Compares every response of an attempt with the model, in which volatile fields do not count. */
export function contradictionsOf(
  session: SessionEvidence,
  volatilePointers?: ReadonlySet<string>,
): readonly Contradiction[] {
  const model = new SessionModel(session, volatilePointers);
  return session.all.flatMap((exchange, at) => model.next(exchange, session.all[at + 1]) ?? []);
}

/** The contradictions to one part of the model that the last responses of some steps show. */
export function contradictionsAt(
  session: SessionEvidence,
  rule: Contradiction['rule'],
  ...steps: readonly string[]
): readonly Contradiction[] {
  const exchanges = session.lastOf(...steps);
  return contradictionsOf(session).filter((one) => one.rule === rule && exchanges.includes(one.exchange));
}

/** What a finding says of a contradiction. */
export function violationOf(contradiction: Contradiction): Violation {
  const {
    rule: _rule,
    since: _since,
    before: _before,
    age: _age,
    isDoubtful: _is,
    ...violation
  } = contradiction;
  return violation;
}

/**
 * What the contract fixes of sessions: one is open from its create until a valid cancel succeeds. How reads show a cancel
 * is learned from a session of the attempt.
 */
class SessionModel {
  readonly #session: SessionEvidence;
  readonly #volatilePointers: ReadonlySet<string> | undefined;
  readonly #cancelled: readonly Change[];
  readonly #sessions = new Map<string, Known>();
  #hasCreated = false;

  constructor(session: SessionEvidence, volatilePointers: ReadonlySet<string> | undefined) {
    this.#session = session;
    this.#volatilePointers = volatilePointers;
    this.#cancelled = cancelChanges(session, volatilePointers);
  }

  /** What a response contradicts. One that the next call repeats may have come too early: a 404 then does not count. */
  next(exchange: Exchange, next: Exchange | undefined): Contradiction | undefined {
    const session = this.#session;
    const isCreate = session.is('creates-session', exchange);
    const id = isCreate ? session.idCreatedBy(exchange) : sessionIdOf(exchange);
    const known = this.#sessions.get(id ?? '') ?? { state: 'unknown', since: [] };
    const isEarly = !isCreate && known.state !== 'ended' && next !== undefined && isRepeated(exchange, next);
    if (isEarly && hasStatus(exchange, 404)) return undefined;
    // A limiter or a firewall in front says nothing of sessions.
    const isSilent = hasStatus(exchange, 429) || isBlockedInFront(exchange, true);
    const isTested =
      exchange.role !== 'cleanup' && !hasWrongBody(exchange) && (!isCreate || this.#hasCreated);
    const found = isTested && !isSilent ? this.#evaluate(exchange, known) : undefined;
    if (!(isEarly && hasStatus(exchange, 409))) this.#learn(exchange, id, known);
    return found;
  }

  #evaluate(exchange: Exchange, known: Known): Contradiction | undefined {
    const found = (rule: Contradiction['rule'], violation: Violation): Contradiction => ({
      ...violation,
      rule,
      since: known.since,
      before: known.before,
      age: startOf(exchange) - (known.createdAt ?? startOf(exchange)),
      isDoubtful:
        rule === 'stays open' ||
        (rule === 'status' && known.state !== 'ended' && hasStatus(exchange, ...declaredErrors)),
    });
    const isOpen = known.state === 'open';
    for (const [rule, isSurelyOpen] of [
      ['status', isUndisturbed(known, exchange)],
      ['stays open', isOpen],
    ] as const) {
      const [defect, ...statuses] = this.#expected(exchange, isSurelyOpen);
      if (!hasStatus(exchange, ...statuses))
        return found(rule, unexpected(defect, listed(statuses), exchange));
    }
    if (sessionShownBy(this.#session, exchange) === 'another')
      return found('identity', {
        statement: 'A response shows another session than the requested one',
        expected: '200, and the id of that session',
        actual: '200, and the id of another session',
        ...(this.#session.is('reads-session', exchange) && { deviation: anotherSession }),
        exchange,
      });
    const isToldOpen = isOpen && known.since.length > 0 && this.#session.is('reads-session', exchange);
    const changes = changesOf(fieldsOf(known.before), fieldsOf(exchange), this.#volatilePointers);
    const [pointer] = isToldOpen ? [...changedAsBy(this.#cancelled, changes)].sort() : [];
    return pointer === undefined
      ? undefined
      : found('stays open', {
          statement: 'An open session is shown as cancelled',
          expected: '200, and the session as it was',
          actual: `200, and ${pointer} as if cancelled`,
          exchange,
        });
  }

  #learn(exchange: Exchange, id: string | undefined, known: Known): void {
    const [isCreate, isOk] = [this.#session.is('creates-session', exchange), hasStatus(exchange, 200)];
    if (isCreate) this.#hasCreated ||= isOk;
    if (this.#session.is('reads-session', exchange)) {
      if (id !== undefined && this.#sessions.has(id))
        this.#sessions.set(id, { ...known, lastRead: exchange });
      return;
    }
    const disturbed = (one: Known): Known => ({
      ...one,
      since: [...one.since, exchange],
      before: one.since.length === 0 ? one.lastRead : one.before,
    });
    if (isCreate || isOk)
      for (const [other, one] of this.#sessions)
        if (other !== id && one.state === 'open') this.#sessions.set(other, disturbed(one));
    if (id === undefined || (isCreate && !isOk)) return;
    if (isCreate) {
      // Equal creates may return one session, which may have been cancelled in between.
      const isNew = !this.#sessions.has(id);
      const state = isNew || known.state === 'open' ? 'open' : 'unknown';
      this.#sessions.set(id, { createdAt: startOf(exchange), ...known, state });
    } else if (isWrongCall(exchange) && hasStatus(exchange, 400, 401, 403)) {
      this.#sessions.set(id, disturbed(known));
    } else {
      const isEnded = isOk || (hasStatus(exchange, 404, 409) && !isUndisturbed(known, exchange));
      this.#sessions.set(id, { ...known, state: isEnded ? 'ended' : 'unknown' });
    }
  }

  #expected(exchange: Exchange, isOpen: boolean): Expected {
    const isWrong = isWrongCall(exchange);
    if (this.#session.is('creates-session', exchange))
      return ['A session could not be created after calls on other sessions', 200, 409];
    if (this.#session.is('reads-session', exchange)) {
      if (isWrong)
        return ['A read with wrong credentials was not refused', 401, 403, ...(isOpen ? [] : [404])];
      if (isOpen) return ['An open session could not be read', 200];
      return ['A cancelled session was neither read nor reported as not found', 200, 404];
    }
    if (isWrong)
      return ['A cancel with wrong credentials was not refused', 401, 403, ...(isOpen ? [] : [404, 409])];
    if (isOpen) return ['An open session could not be cancelled', 200];
    return ['A repeated cancel was answered with an unexpected status', 200, 404, 409];
  }
}

/** Whether a session is open, and no call on another one may have ended it as far as the contract says. */
function isUndisturbed({ state, since }: Known, exchange: Exchange): boolean {
  return state === 'open' && since.every((one) => sessionIdOf(one) === sessionIdOf(exchange));
}

/** Whether the same read or cancel follows, whose response counts instead. */
function isRepeated(one: Exchange, next: Exchange): boolean {
  return (
    next.operation === one.operation &&
    callKey(next) === callKey(one) &&
    sessionIdOf(next) === sessionIdOf(one)
  );
}

function listed(statuses: readonly number[]): string {
  const [last] = statuses.slice(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')} or ${last}`;
}
