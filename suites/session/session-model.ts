import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import { unexpected } from '../../harness/checks/outcomes.ts';
import {
  callKey,
  describeAnswer,
  hasStatus,
  isBlockedInFront,
  startOf,
  statusOf,
} from '../../harness/evidence/answer.ts';
import { changedLeaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { anotherResource, foundAtTimes, sharedSession } from '../../harness/results/causes/cause-fixes.ts';
import {
  askForTheSame,
  bodyFields,
  fieldsOf,
  isRefusedCall,
  isShared,
  isWrongCall,
  type SessionEvidence,
  sessionIdOf,
} from './session-evidence.ts';
import { type Change, changedAsBy, changedWhereBy, changesOf } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { cancelChanges } from './session-life.ts';
import { wayAt } from './walk.ts';

/**
 * What a response contradicts. `status`: what a call may get, whatever happened to other sessions. `identity`: that it is
 * about its session. `refusal`: that refused calls have no effect. `others`: that creates and cancels of other sessions
 * have none. `one id`: that different creates make different sessions. `cancel`: that reads show what a cancel reported.
 * `creates at once`, `cancels at once`: that calls under way at the same time get what they get one after another.
 */
type Rule =
  | 'status'
  | 'identity'
  | 'refusal'
  | 'others'
  | 'one id'
  | 'cancel'
  | 'creates at once'
  | 'cancels at once';

/** The violation of a rule. */
export interface RuleViolation extends Violation {
  readonly rule: Rule;
  /** The response that shows it, where the finding is about a call before. */
  readonly end?: Exchange;
}

/** A response that contradicts the state of its session after the earlier calls. */
export interface Contradiction extends RuleViolation {
  readonly end: Exchange;
  /** Whether the session was open, or a valid cancel had ended it. */
  readonly state: Known['state'];
  /** Whether the same call follows, and its response counts instead. */
  readonly isRepeated?: true;
  /** Milliseconds since the create of the session; infinite where another case has the session, too. */
  readonly age: number;
  /** Whether something else, such as time, may have caused it: an untouched session can show that. */
  readonly isDoubtful: boolean;
}

/** A session at one place of a walk. */
interface Known {
  /** `unknown`: a call had an unknown effect, or a create returned the session after its cancel. */
  readonly state: 'open' | 'ended' | 'unknown';
  /** What may have ended the session: refused calls, and creates and cancels of other sessions. */
  readonly since: readonly Exchange[];
  /** The last read before these. */
  readonly before?: Exchange | undefined;
  readonly createdAt?: number;
  readonly lastRead?: Exchange;
}

/** The defect that any other than these statuses shows. */
type Expected = readonly [defect: string, ...statuses: readonly number[]];

const takenForEnded =
  'Read the session after this response. If it is cancelled, the call was carried out and sent again: look for a component that retries it (HAProxy `retry-on`, nginx `proxy_next_upstream … non_idempotent`, a client library). Otherwise, find out why the service considers a session ended that it created moments before: check the state and the expiry that create stores (unit, clock, time zone).';

const refusedFirst =
  'Check the key, then its scope, and only then look the session up, on every instance of the service. If the same call is refused at other times, compare the instances.';

const takenForAnother =
  'Look the session up by exactly the id in the path: not by the store, the caller or the latest create. If only some calls get another session, look for state that requests share, such as a global variable or a cache whose key lacks the id.';

/** The declared errors, which time or other sessions may cause. */
const declaredErrors = [400, 401, 403, 404, 409];

/** Compares every response of an attempt with the model, without volatile fields. */
export function modelContradictions(
  session: SessionEvidence,
  volatilePointers?: ReadonlySet<string>,
): readonly Contradiction[] {
  const compareWith = (model: SessionModel): readonly Contradiction[] =>
    session.all.flatMap((exchange, at) => model.next(exchange, session.all[at + 1]));
  const model = new SessionModel(session, volatilePointers);
  const found = compareWith(model);
  return model.hasReplaced ? compareWith(new SessionModel(session, volatilePointers, true)) : found;
}

/** A session is open from its create until a valid cancel succeeds; how reads show a cancel is learned from the attempt. */
class SessionModel {
  readonly #session: SessionEvidence;
  readonly #volatilePointers: ReadonlySet<string> | undefined;
  readonly #cancelled: readonly Change[];
  readonly #sessions = new Map<string, Known>();
  readonly #areReplaced: boolean;
  #hasCreated = false;
  /** Whether a session has ended after the create of another one. */
  hasReplaced = false;

  /** `areReplaced`: a create may end the sessions before it, also those that a call at the same time names. */
  constructor(
    session: SessionEvidence,
    volatilePointers: ReadonlySet<string> | undefined,
    areReplaced = false,
  ) {
    this.#session = session;
    this.#volatilePointers = volatilePointers;
    this.#areReplaced = areReplaced;
    this.#cancelled = cancelChanges(session, volatilePointers);
  }

  /** What a response contradicts. One that the next call repeats may have come too early. */
  next(exchange: Exchange, next: Exchange | undefined): readonly Contradiction[] {
    const session = this.#session;
    const isCreate = session.is('creates-session', exchange);
    const id = isCreate ? session.idCreatedBy(exchange) : sessionIdOf(exchange);
    const before = this.#sessions.get(id ?? '') ?? { state: 'unknown', since: [] };
    // One of two calls at once may have come first.
    const isRaced = session
      .besides(exchange)
      .some((one) => sessionIdOf(one) === id && session.is('ends-session', one) && !isWrongCall(one));
    const creates = this.#areReplaced
      ? session.besides(exchange).filter((one) => session.is('creates-session', one))
      : [];
    const known: Known = isRaced ? { ...before, state: 'unknown' } : creates.reduce(disturbed, before);
    const isEarly = !isCreate && known.state !== 'ended' && next !== undefined && isRepeated(exchange, next);
    const age = isShared(exchange) ? Infinity : startOf(exchange) - (known.createdAt ?? startOf(exchange));
    if (isEarly && hasStatus(exchange, 404))
      return hasStatus(next, 200) ? this.#missedAtTimes(exchange, known, age) : [];
    // A limiter or a firewall in front says nothing about sessions.
    const isSilent = hasStatus(exchange, 429) || isBlockedInFront(exchange, true);
    const isTested = exchange.role !== 'cleanup' && (!isCreate || this.#hasCreated);
    const isDeclared = known.state !== 'ended' && hasStatus(exchange, ...declaredErrors);
    const found = (isTested && !isSilent ? this.#evaluate(exchange, id, known) : []).map(
      (one): Contradiction => {
        const isDoubtful = ['refusal', 'others'].includes(one.rule) || (one.rule === 'status' && isDeclared);
        return { ...one, end: exchange, state: known.state, age, isDoubtful };
      },
    );
    if (isEarly && hasStatus(exchange, 409))
      return found.flatMap((one) => (one.rule === 'status' ? { ...one, isRepeated: true } : []));
    this.#learn(exchange, id, known);
    return found;
  }

  /** A 404 for an open session, twice as long after its create as any part of a service may need, and which the next call finds. */
  #missedAtTimes(exchange: Exchange, { state }: Known, age: number): readonly Contradiction[] {
    const isLate = age >= 2 * longestPropagation && age < Infinity;
    if (!isLate || state !== 'open' || isWrongCall(exchange)) return [];
    const violation = {
      statement: 'A call did not find an open session, seconds after its create',
      expected: 'a session that is found by every call',
      actual: '404, and 200 to the same call a moment later',
      fix: 'Look for an instance that does not know the session, or has no such route: instances may not share a store, or run another version.',
      deviation: foundAtTimes,
      exchange,
    };
    return [{ ...violation, rule: 'status', end: exchange, state, age, isDoubtful: false }];
  }

  #evaluate(exchange: Exchange, id: string | undefined, known: Known): readonly RuleViolation[] {
    const { varied, wrongBody } = wayAt(exchange);
    const isExempt = wrongBody !== undefined || varied !== undefined;
    const isOpen = known.state === 'open';
    const wrongStatus = isExempt ? undefined : this.#wrongStatus(exchange, known, isUndisturbed(known));
    const ended = isExempt ? undefined : this.#wrongStatus(exchange, known, isOpen);
    if (wrongStatus !== undefined) {
      const effects = this.#effects(exchange, known, wrongStatus);
      // What a wrong body may have led to is a matter of its own clause.
      const isOfBody = effects.some(({ clause }) => clause === 'after-400');
      return isOfBody ? effects : [{ ...wrongStatus, rule: 'status' }, ...effects];
    }
    if (ended !== undefined) {
      this.hasReplaced ||= known.since.some(
        (one) => this.#session.is('creates-session', one) && hasStatus(one, 200),
      );
      return this.#effects(exchange, known, ended);
    }
    if (sessionShownBy(this.#session, exchange) === 'another')
      return [
        {
          rule: 'identity',
          statement: 'A response shows another session than the requested one',
          expected: '200, and the id of that session',
          actual: '200, and the id of another session',
          headline: 'A call on one checkout session shows another one',
          fix: takenForAnother,
          deviation: anotherResource,
          exchange,
        },
      ];
    if (this.#session.is('creates-session', exchange)) return this.#sharedId(exchange, id);
    const isToldOpen = isOpen && known.since.length > 0 && this.#session.is('reads-session', exchange);
    const changes = changesOf(fieldsOf(known.before), fieldsOf(exchange), this.#volatilePointers);
    const [pointer] = isToldOpen ? [...changedAsBy(this.#cancelled, changes)].sort() : [];
    // What happens to other sessions may be told, but refused calls change no state at all.
    const mayHaveActed = isToldOpen && known.since.every(isRefusedCall);
    const [other] = mayHaveActed ? [...changedWhereBy(this.#cancelled, changes)].sort() : [];
    if (pointer === undefined && other === undefined) return [];
    return this.#effects(exchange, known, {
      statement: 'An open session is shown as cancelled',
      expected: '200, and the session as it was',
      actual: pointer === undefined ? `200, and another ${other}` : `200, and ${pointer} as if cancelled`,
      exchange,
    });
  }

  /** The violation by a status that neither an open nor an ended session may show, as the case may be. */
  #wrongStatus(exchange: Exchange, { since }: Known, isOpen: boolean): Violation | undefined {
    const [defect, ...statuses] = this.#expected(exchange, isOpen);
    if (hasStatus(exchange, ...statuses)) return undefined;
    const isDenied = hasStatus(exchange, 404, 409);
    const isFresh = isOpen && since.length === 0;
    const fix = isWrongCall(exchange) ? refusedFirst : isFresh ? takenForEnded : undefined;
    return unexpected(defect, listed(statuses), exchange, isDenied && fix !== undefined ? { fix } : {});
  }

  /** What ended a session without a valid cancel of it: cancels of it that were refused, or a call on another one. */
  #effects(
    exchange: Exchange,
    { state, since, before, lastRead }: Known,
    violation: Violation,
  ): readonly RuleViolation[] {
    const session = this.#session;
    // A refusal with a conflict finds what one before it did.
    const isDone = since.map((one) => hasStatus(one, 404, 409)).indexOf(true);
    const until = isDone > 0 ? since.slice(0, isDone) : since;
    const cause = since.findLast((one) => !isRefusedCall(one)) ?? until.at(-1);
    const isRead = session.is('reads-session', exchange);
    // Any other response shows a failure, not the state of the session.
    const isOfState = hasStatus(exchange, 404, isRead ? 200 : 409);
    if (cause === undefined || state !== 'open' || isWrongCall(exchange)) return [];
    const steps = session.stepsTo(exchange);
    if (since.every(isRefusedCall)) {
      // A worse one among several is found by sending fewer.
      const isWrongBody = since.some((one) => (wayAt(one).wrongBody ?? wayAt(one).varied) !== undefined);
      const more = { rule: 'refusal', steps, ...(isWrongBody && { clause: 'after-400' }) } as const;
      const answer = describeAnswer(cause);
      if (!isOfState || (isRead && fieldsOf(before) === undefined)) return [];
      return [
        isRead
          ? {
              ...more,
              statement: `A refused call changed the session: ${until.map(({ label }) => label).join(', then ')}`,
              expected: `${answer}, and the session as it was`,
              actual: `${answer}, and then ${violation.actual} to a read`,
              exchange: cause,
            }
          : {
              ...violation,
              ...more,
              statement: 'A session could not be cancelled after a call that was refused',
            },
      ];
    }
    const isCreate = session.is('creates-session', cause);
    const own = session.creationOf(sessionIdOf(exchange));
    const other = isCreate ? cause : session.creationOf(sessionIdOf(cause));
    // Sessions with one basket may belong together, and equal creates may replace each other.
    if (!isOfState || own === undefined || (other && askForTheSame(own, other))) return [];
    const isReplaced =
      hasStatus(lastRead, 404) ||
      changedLeaves(fieldsOf(before) ?? new Map(), fieldsOf(lastRead) ?? new Map()).length > 0;
    const isNamed = mentions(bodyFields(cause) ?? new Map(), sessionIdOf(exchange) ?? '');
    if (isCreate && (isRead || !isReplaced || isNamed)) return [];
    const statement = isCreate
      ? 'Creating a session ended an earlier one'
      : 'Cancelling one session changed another';
    return [{ ...violation, rule: 'others', statement, steps }];
  }

  #sharedId(exchange: Exchange, id: string | undefined): readonly RuleViolation[] {
    const first = id === undefined ? undefined : this.#session.creationOf(id);
    if (first === undefined || askForTheSame(first, exchange)) return [];
    return [
      {
        rule: 'one id',
        statement: 'Two different creates made one session',
        expected: 'two ids',
        actual: 'one id for both',
        deviation: sharedSession,
        exchange,
        steps: this.#session.stepsTo(exchange),
      },
    ];
  }

  #learn(exchange: Exchange, id: string | undefined, known: Known): void {
    const [isCreate, isOk] = [this.#session.is('creates-session', exchange), hasStatus(exchange, 200)];
    const status = statusOf(exchange) ?? 0;
    if (isCreate) this.#hasCreated ||= isOk;
    if (this.#session.is('reads-session', exchange)) {
      if (id !== undefined && this.#sessions.has(id) && status !== 304)
        this.#sessions.set(
          id,
          isRefusedCall(exchange) ? disturbed(known, exchange) : { ...known, lastRead: exchange },
        );
      return;
    }
    // Other checks evaluate the status of a refusal. A failure may have done anything.
    const isRefused = isRefusedCall(exchange) && status >= 400 && status < 500;
    if (isCreate || isOk || isRefused)
      for (const [other, one] of this.#sessions)
        if (other !== id && one.state === 'open') this.#sessions.set(other, disturbed(one, exchange));
    if (id === undefined || (isCreate && !isOk)) return;
    if (isCreate) {
      // Equal creates may return one session, which may have been cancelled in between.
      const isNew = !this.#sessions.has(id);
      const state = isNew || known.state === 'open' ? 'open' : 'unknown';
      this.#sessions.set(id, { createdAt: startOf(exchange), ...known, state });
    } else if (isRefused) {
      this.#sessions.set(id, disturbed(known, exchange));
    } else if (!hasStatus(exchange, ...mayRefuse(exchange))) {
      const isEnded = isOk || (hasStatus(exchange, 404, 409) && !isUndisturbed(known));
      this.#sessions.set(id, { ...known, state: isEnded ? 'ended' : 'unknown' });
    }
  }

  #expected(exchange: Exchange, isOpen: boolean): Expected {
    if (this.#session.is('creates-session', exchange))
      return ['A session could not be created after calls on other sessions', 200, 409];
    const isRead = this.#session.is('reads-session', exchange);
    const [act, done] = isRead ? ['read', 'read'] : ['cancel', 'cancelled'];
    const ended = isOpen ? [] : isRead ? [404] : [404, 409];
    if (isWrongCall(exchange)) return [`A ${act} with wrong credentials was not refused`, 401, 403, ...ended];
    const unchanged = wayAt(exchange).ifChanged ? [304] : [];
    const statuses = [200, ...unchanged, ...ended, ...mayRefuse(exchange)];
    if (isOpen) return [`An open session could not be ${done}`, ...statuses];
    return isRead
      ? ['A cancelled session was neither read nor reported as not found', ...statuses]
      : ['A repeated cancel was answered with an unexpected status', ...statuses];
  }
}

/** Whether a session is open, and no call may have ended it as far as the contract says: refused ones end none. */
function isUndisturbed({ state, since }: Known): boolean {
  return state === 'open' && since.every(isRefusedCall);
}

/** A session after a call that may have changed it. */
function disturbed(one: Known, by: Exchange): Known {
  if (one.since.includes(by)) return one;
  return { ...one, since: [...one.since, by], before: one.since.length === 0 ? one.lastRead : one.before };
}

/** The statuses with which a target may refuse a body, or a spelling of the id: it may be another one, or a route not be found. */
function mayRefuse(exchange: Exchange): readonly number[] {
  const { varied, spelling } = wayAt(exchange);
  return (varied ?? spelling) === undefined ? [] : [400, 404];
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
