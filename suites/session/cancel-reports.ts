import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import { inconclusive, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf, hasStatus, startOf } from '../../harness/evidence/answer.ts';
import { isMoment, type Leaf, type Leaves, readsSame } from '../../harness/evidence/json-leaves.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { fieldsOf, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { type Change, changesOf, isLink, isOfState, isStateValue, stateChanged } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { type Life, lifeOf, livesIn } from './session-life.ts';
import type { RuleViolation } from './session-model.ts';
import { callOf, neutralWays, wait, walkOf, wayAt } from './walk.ts';

/** The maximum number of fields that a finding names. */
const namedFields = 3;

/** What a read showed of a field before a cancel, if anything, and what the cancel reports of it. */
type Report = Omit<Change, 'before'> & { readonly before: Leaf | undefined };

/** All that a cancel reports of fields that are neither volatile nor other in a create than in a read. */
function reports(session: SessionEvidence, { cancel, readsBefore }: Life): readonly Report[] {
  const [again, last] = readsBefore.map(fieldsOf).reverse();
  const created = session.createdFields(cancel);
  return [...(fieldsOf(cancel) ?? [])].flatMap(([pointer, after]) => {
    const [before, atCreate] = [last?.get(pointer), created?.get(pointer)];
    const differsByOperation = atCreate !== undefined && before !== undefined && !readsSame(atCreate, before);
    const isVolatile = before !== again?.get(pointer) && before !== undefined;
    return differsByOperation || isVolatile ? [] : [{ pointer, before, after }];
  });
}

/** Whether a read shows each of these fields as it was before the cancel. */
function isAsBefore(read: Exchange | undefined, changes: readonly Change[]): boolean {
  const shown = fieldsOf(read);
  return changes.every(({ pointer, before }) => {
    const now = shown?.get(pointer);
    return now !== undefined && readsSame(now, before);
  });
}

/**
 * Pointers at which reads contradict the response to a cancel. Links and times do not count; numbers count only where they
 * are as before the cancel; and a state may have advanced, as from cancelling to cancelled.
 */
function contradictedBy(
  session: SessionEvidence,
  life: Life,
  shown: ReadonlyArray<Leaves | undefined>,
): readonly string[] {
  const [read, ...rereads] = shown;
  return reports(session, life).flatMap(({ pointer, before, after: said }) => {
    const now = read?.get(pointer);
    if (now === undefined || rereads.some((fields) => fields?.get(pointer) !== now)) return [];
    if (readsSame(said, now) || isLink(said) || isLink(now) || (isMoment(said) && isMoment(now))) return [];
    const isUnchanged = before !== undefined && readsSame(now, before);
    const isOther = isStateValue(said) && isStateValue(now) && !mayHaveAdvanced(said, now);
    return isUnchanged || isOther ? [pointer] : [];
  });
}

/** Whether one text can follow the other: the first names a transition, or both are similar. */
function mayHaveAdvanced(said: Leaf, now: Leaf): boolean {
  if (typeof said !== 'string' || typeof now !== 'string') return false;
  const [one, two] = [said.toLowerCase(), now.toLowerCase()];
  if (/ing\b|pend|progress|request|process|queue|accept|wait|schedul|initiat/.test(one)) return true;
  return one.includes(two) || two.includes(one) || one.slice(0, 4) === two.slice(0, 4);
}

/** Whether a read of a cancelled session may be of a part of the target that has not learned of the cancel yet. */
export function mayPrecedeCancel(session: SessionEvidence, read: Exchange): boolean {
  if (!hasStatus(read, 200, 304)) return false;
  const life = lifeOf(session, sessionIdOf(read) ?? '');
  if (!hasStatus(life.cancel, 200) || isLate(life, read)) return false;
  if (sessionShownBy(session, read) === 'another') return false;
  if (hasStatus(read, 304)) return true;
  const shown = fieldsOf(read);
  const kept = fieldsOf(life.kept);
  const isSame = kept !== undefined && changesOf(kept, shown).length === 0;
  return isSame || contradictedBy(session, life, [shown]).length > 0;
}

/** Whether every part of a target must know of the cancel before a read. */
function isLate({ cancel }: Life, read: Exchange): boolean {
  return cancel !== undefined && startOf(read) - endOf(cancel) >= longestPropagation;
}

/** The first session that was read, and cancelled with 200. */
interface Told {
  readonly life: Life | undefined;
  /** The fields of which the cancel reports a change, and which reads show too. */
  readonly changes: readonly Change[];
  /** Those of a state. */
  readonly states: readonly Change[];
}

function toldIn(session: SessionEvidence): Told {
  const life = livesIn(session).find(
    ({ readsBefore, cancel }) => readsBefore.length > 1 && hasStatus(cancel, 200),
  );
  const changes = (life === undefined ? [] : reports(session, life)).flatMap(({ pointer, before, after }) =>
    before === undefined || isLink(after) || readsSame(after, before) ? [] : [{ pointer, before, after }],
  );
  return { life, changes, states: changes.filter(isOfState) };
}

/** What reads contradict of a cancel. */
interface ContradictedCancel {
  readonly life: Life;
  readonly reads: readonly Exchange[];
  /** The fields that the reads show otherwise than the cancel reported; none where they were only seen to be as before. */
  readonly pointers: readonly string[];
  /** Whether reads still show the session as before when every cache and replica must know, and not by chance. */
  readonly isKept: boolean;
}

/** The sessions whose cancel reported with 200 what later reads contradict, or what reads seconds later show as before it. */
export function contradictedCancels(session: SessionEvidence): readonly ContradictedCancel[] {
  const { life: told, changes, states } = toldIn(session);
  return livesIn(session).flatMap((life) => {
    const all = life.readsAfter;
    // They may be about another session.
    const isUnclear = isAnyUnclear(session, life);
    for (const reads of hasStatus(life.cancel, 200) ? windowsOf(life) : []) {
      const late = reads.filter((read) => isLate(life, read));
      // One late read among others may be of a replica that lags.
      const isOne = late.length === 1 && reads.length === 1 && all.length > 1;
      const isTold = life === told && !isUnclear && !isOne;
      const pointers = isTold ? contradictedBy(session, life, reads.map(fieldsOf)) : [];
      const kept = pointers.length > 0 ? changes : states;
      const isOpen = states.length > 0 && late.length > 0 && late.every((read) => isAsBefore(read, kept));
      if (isOpen || pointers.length > 0)
        return [{ life, reads, pointers, isKept: isOpen && late.length > 1 }];
    }
    return [];
  });
}

/** Whether a read before or after the cancel may be about another session. */
function isAnyUnclear(session: SessionEvidence, { readsBefore, readsAfter }: Life): boolean {
  return [...readsBefore, ...readsAfter].some((one) => sessionShownBy(session, one) === 'unknown');
}

/** Last-Modified, or a weak tag that is made of it, is precise to a second. */
const tagMs = 1_100;

/** Whether a conditional read names what it knows by a time or a weak tag. */
function namesWeakly({ request }: Exchange): boolean {
  return request.headers.some(
    ([name, value]) => name === 'if-modified-since' || (name === 'if-none-match' && value.startsWith('W/')),
  );
}

/** Reads of cancelled sessions that say that nothing has changed since before the cancel, where the next read shows the change. */
function falselyUnchanged(session: SessionEvidence): readonly RuleViolation[] {
  const { states } = toldIn(session);
  return livesIn(session).flatMap((life): readonly RuleViolation[] => {
    const { id, readsBefore, cancel } = life;
    const calls = session.callsOn(id);
    const exchange = calls.findLast((one) => wayAt(one).ifChanged && hasStatus(one, 304));
    const [first] = readsBefore;
    if (!exchange || !first || !cancel || !hasStatus(cancel, 200)) return [];
    const end = life.reads.find((one) => calls.indexOf(one) > calls.indexOf(exchange));
    const isQuick = startOf(cancel) - endOf(first) < tagMs && namesWeakly(exchange);
    if (end === undefined || isQuick || !isLate(life, exchange)) return [];
    const changed = new Set(changesOf(fieldsOf(first), fieldsOf(end)).map(({ pointer }) => pointer));
    if (!hasStatus(end, 404) && !states.some(({ pointer }) => changed.has(pointer))) return [];
    return [
      {
        rule: 'cancel',
        statement: 'A conditional read says that a cancelled session has not changed',
        clause: 'not-modified',
        expected: '200 with the cancelled session, or 404',
        actual: '304 to a condition that names a read before the cancel',
        exchange,
        end,
        steps: session.stepsTo(end),
      },
    ];
  });
}

/**
 * All reads, before these those before a wait or another cancel, as some keep what they have read for as long as it is asked
 * for, and after these the late ones of each representation, which a cache may keep apart.
 */
function windowsOf(life: Life): ReadonlyArray<readonly Exchange[]> {
  const { readsAfter: all, again } = life;
  const isOfLate = (read: Exchange): boolean => isLate(life, read);
  const before = all.filter(
    (read) => !walkOf(read)?.includes(wait) && (again === undefined || startOf(read) < startOf(again)),
  );
  const byRepresentation = groupBy(all.filter(isOfLate), (read) =>
    String(callOf(read)?.ways.filter((name) => neutralWays.includes(name))),
  );
  return [...(before.some(isOfLate) ? [before] : []), all, ...byRepresentation.values()];
}

/** What reads contradict of a cancel, soon after it or for good. */
export function cancelContradictions(session: SessionEvidence): readonly RuleViolation[] {
  const found = contradictedCancels(session).flatMap((one) => contradictionOf(session, one));
  return [...found, ...(found.length === 0 ? staleReads(session) : []), ...falselyUnchanged(session)];
}

function contradictionOf(
  session: SessionEvidence,
  { life: { id, cancel }, reads, pointers, isKept }: ContradictedCancel,
): readonly RuleViolation[] {
  const end = reads.at(-1);
  if (cancel === undefined || end === undefined || (!isKept && pointers.length === 0)) return [];
  const more = { rule: 'cancel', end, ...(isKept && { steps: session.stepsTo(end) }) } as const;
  if (pointers.length > 0) {
    const named = pointers.map((one) => one.replaceAll(id, '{sessionId}'));
    const fields = named.sort().slice(0, namedFields).join(', ');
    return [
      {
        ...more,
        statement: 'A read contradicts what the cancel reported',
        expected: `the same at ${fields} in the response to the cancel and in a later read`,
        actual: isKept
          ? `200, and reads for at least two seconds that show ${fields} as before the cancel`
          : `200, and a later read that differs at ${fields}`,
        exchange: cancel,
        ...(isKept && clauseOfKept(session)),
      },
    ];
  }
  const isBeside = session.besides(cancel).some((one) => sessionIdOf(one) === id);
  return [
    {
      ...more,
      statement: isBeside
        ? 'A cancel during a read of the session was lost'
        : 'A cancelled session was open again seconds later',
      clause: 'never-shown',
      expected: asReported,
      actual: '200, and reads that show it as before the cancel',
      fix: 'Look for code that writes the session after its cancel: a read or create that saves an earlier copy, a job that restores it from another store, a second cancel that rolls back the first, or a cancel that is carried out later under an id that is another one by then (Fiber: copy what `c.Params` returns). Let each write change only its own fields, and only if the state is still the one it read.',
      exchange: end,
    },
  ];
}

const asReported = 'reads that show the session as its cancel reported it';

/** A replica that lags may answer one late read. */
const mostStale = 1;

/** Reads of cancelled sessions, some of them as before the cancel when every part of a target must know of it. */
function staleReads(session: SessionEvidence): readonly RuleViolation[] {
  const { states } = toldIn(session);
  const late = livesIn(session).flatMap((life) =>
    life.readsAfter.filter(
      (read) => hasStatus(life.cancel, 200) && hasStatus(read, 200) && isLate(life, read),
    ),
  );
  const isOwn = (read: Exchange): boolean => sessionShownBy(session, read) === 'own';
  const stale = late.filter((read) => isAsBefore(read, states) && isOwn(read));
  const exchange = stale.at(-1);
  if (states.length === 0 || exchange === undefined || stale.length <= mostStale) return [];
  return [
    {
      rule: 'cancel',
      statement: 'Some reads show cancelled sessions as before their cancel, seconds later',
      expected: asReported,
      actual: `200, and ${stale.length} of ${late.length} reads more than two seconds after a cancel show the session as before it`,
      fix: 'When a session is cancelled, drop or update every copy of it: caches in other processes and replicas included.',
      exchange,
      steps: session.stepsTo(exchange),
    },
  ];
}

/** The clause of a session that stays as it was, and what to do where one that was not read before its cancel does not. */
function clauseOfKept(session: SessionEvidence): Pick<RuleViolation, 'clause' | 'fix'> {
  const [said, unread] = ['cancelUnread', 'readUnread'].map((step) => fieldsOf(session.last(step)));
  return said === undefined || unread === undefined || stateChanged(said, unread)
    ? { clause: 'never-shown' }
    : {
        clause: 'read-before-cancel',
        fix: 'Drop or replace the cached session when it is cancelled, or read it from the store each time: a session that was not read before its cancel is shown as cancelled.',
      };
}

/** The evaluation where no read contradicts a cancel. */
export function evaluateConfirmation(session: SessionEvidence): Evaluation {
  const { life, changes } = toldIn(session);
  if (life === undefined) return inconclusive('no session was read and then cancelled');
  const [read] = life.readsAfter;
  if (hasStatus(read, 404)) return pass('the cancelled session is gone, answered 404');
  if (read === undefined || !hasStatus(read, 200))
    return inconclusive(
      `a read of the cancelled session was ${read ? `answered ${describeAnswer(read)}, which SESSION-2 evaluates` : 'not sent'}`,
    );
  if (isAnyUnclear(session, life))
    return inconclusive('the reads do not show the session id, so they may be about another session');
  if (fieldsOf(life.cancel) === undefined || fieldsOf(read) === undefined)
    return inconclusive('not every response about the session is JSON');
  return changes.length > 0
    ? pass('the read shows what the cancel reported')
    : inconclusive('the cancel reported no change of a field that reads also show');
}
