import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf, startOf } from '../../harness/evidence/answer.ts';
import { isMoment, type Leaf, readsSame } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { notReached } from './session-check.ts';
import { fieldsOf, hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { isLink, isStateValue, stateChanged } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { contradictionsAt, violationOf } from './session-model.ts';

/** The maximum number of fields that a finding names. */
const namedFields = 3;

/** What a cancel reports of a field, and what a read showed before. */
interface Report {
  readonly pointer: string;
  readonly said: Leaf;
  readonly old: Leaf | undefined;
}

/** All that a cancel reports of fields that are neither volatile nor other in a create than in a read. */
function reports(session: SessionEvidence): readonly Report[] {
  const [before, again] = [session.fields('readBefore'), session.fields('readBeforeAgain')];
  const created = session.createdFields(session.last('cancel'));
  return [...(session.fields('cancel') ?? [])].flatMap(([pointer, said]) => {
    const [old, atCreate] = [before?.get(pointer), created?.get(pointer)];
    const differsByOperation = atCreate !== undefined && old !== undefined && !readsSame(atCreate, old);
    const isVolatile = old !== again?.get(pointer) && old !== undefined;
    return differsByOperation || isVolatile ? [] : [{ pointer, said, old }];
  });
}

/** The fields of which a cancel reports a change, and which reads show too. */
function reportedChanges(session: SessionEvidence): readonly Report[] {
  return reports(session).filter(
    ({ said, old }) => old !== undefined && !isLink(said) && !readsSame(said, old),
  );
}

/** The reported changes of a state. */
function reportedStates(session: SessionEvidence): readonly Report[] {
  return reportedChanges(session).filter(({ said, old = null }) => isStateValue(said) && isStateValue(old));
}

/** Whether a read shows each of these fields as it was before the cancel. */
function isAsBefore(read: Exchange | undefined, changes: readonly Report[]): boolean {
  const shown = fieldsOf(read);
  return changes.every(({ pointer, old = null }) => {
    const now = shown?.get(pointer);
    return now !== undefined && readsSame(now, old);
  });
}

/**
 * Pointers at which the reads after a cancel contradict its response. Links and times do not count; numbers count only
 * where they are as before the cancel; and a state may have advanced, as from cancelling to cancelled.
 */
export function contradictedPointers(session: SessionEvidence): readonly string[] {
  const read = session.fields('readAfter');
  const rereads = session.of('readAfterAgain').map(fieldsOf);
  const contradicted = reports(session).filter(({ pointer, said, old }) => {
    const now = read?.get(pointer);
    if (now === undefined || rereads.some((fields) => fields?.get(pointer) !== now)) return false;
    if (readsSame(said, now) || isLink(said) || isLink(now) || (isMoment(said) && isMoment(now)))
      return false;
    const isUnchanged = old !== undefined && readsSame(now, old);
    return isUnchanged || (isStateValue(said) && isStateValue(now) && !mayHaveAdvanced(said, now));
  });
  return contradicted.map(({ pointer }) => pointer);
}

/** Whether one text can follow the other: the first names a transition, or both are similar. */
function mayHaveAdvanced(said: Leaf, now: Leaf): boolean {
  if (typeof said !== 'string' || typeof now !== 'string') return false;
  const [one, two] = [said.toLowerCase(), now.toLowerCase()];
  if (/ing\b|pend|progress|request|process|queue|accept|wait|schedul|initiat/.test(one)) return true;
  return one.includes(two) || two.includes(one) || one.slice(0, 4) === two.slice(0, 4);
}

/** Whether all reads, up to the time by which every cache must know, show each reported change, a state among them, as it was. */
export function isNeverShown(session: SessionEvidence): boolean {
  const cancel = session.last('cancel');
  const again = session.of('readAfterAgain');
  return (
    again.some((read) => cancel && startOf(read) - endOf(cancel) >= longestPropagation) &&
    reportedStates(session).length > 0 &&
    [...session.of('readAfter'), ...again].every((read) => isAsBefore(read, reportedChanges(session)))
  );
}

/** Whether all reads in a step show the session, or another one, with each state as it was before the cancel. */
export function isOpenAgain(session: SessionEvidence, readStep: string): boolean {
  const states = reportedStates(session);
  return states.length > 0 && session.of(readStep).every((read) => isAsBefore(read, states));
}

/** Evaluates what reads show of a cancelled session. */
export function evaluateCancel(session: SessionEvidence): Evaluation {
  const confirmed = (): Evaluation =>
    reportedChanges(session).length > 0
      ? pass('the read shows what the cancel reported')
      : inconclusive('the cancel reported no change of a field that reads show too');
  return (
    notReached(session, 'readBefore', 'cancel') ??
    violatedOr(
      shownInstead(session),
      () => withoutComparison(session) ?? violatedOr(unconfirmedCancels(session), confirmed),
    )
  );
}

/** Reads of a cancelled session that show another one, though those before its cancel did not. */
function shownInstead(session: SessionEvidence): readonly Violation[] {
  const before = session.last('readBefore');
  if (before === undefined || sessionShownBy(session, before) !== 'own') return [];
  return contradictionsAt(session, 'identity', 'readAfter', 'readAfterAgain', 'readLate')
    .slice(0, 1)
    .map((one) => ({
      ...violationOf(one),
      clause: 'another-session',
      steps: session.stepsTo(one.exchange),
    }));
}

/** What reads contradict of a cancel, soon after it or for good. */
function unconfirmedCancels(session: SessionEvidence): readonly Violation[] {
  const cancelled = session.last('cancel');
  const pointers = contradictedPointers(session);
  if (cancelled === undefined || pointers.length === 0) return lostCancels(session);
  const named = pointers.map((one) => one.replaceAll(sessionIdOf(cancelled) ?? '', '{sessionId}'));
  const fields = named.sort().slice(0, namedFields).join(', ');
  const violation = {
    statement: 'A read contradicts what the cancel reported',
    expected: `the same at ${fields} in the response to the cancel and in a later read`,
    actual: `200, and a later read that differs at ${fields}`,
    exchange: cancelled,
  };
  const last = session.last('readAfterAgain');
  if (last === undefined || !isNeverShown(session)) return [violation];
  const [said, unread] = [session.fields('cancelUnread'), session.fields('readUnread')];
  const isShownUnread = said !== undefined && unread !== undefined && !stateChanged(said, unread);
  return [
    {
      ...violation,
      actual: `200, and reads for two seconds and more that show ${fields} as before the cancel`,
      steps: session.stepsTo(last),
      ...(isShownUnread
        ? {
            clause: 'read-before-cancel',
            fix: 'Drop or replace the cached session when it is cancelled, or read it from the store each time: a session that nobody had read before its cancel is shown as cancelled.',
          }
        : { clause: 'never-shown' }),
    },
  ];
}

/** Sessions that were cancelled with 200 and shown so, and that two reads seconds later show as before. */
function lostCancels(session: SessionEvidence): readonly Violation[] {
  const looked = [
    ['cancel', 'readLate', 'A cancelled session was open again seconds later'],
    ['cancelBeside', 'readBesideLate', 'A cancel beside a read of the session was lost'],
  ] as const;
  return looked.flatMap(([cancelStep, readStep, statement]) => {
    const [, exchange] = session.of(readStep);
    if (exchange === undefined || !isOpenAgain(session, readStep) || !session.answered(cancelStep, 200))
      return [];
    const violation = {
      statement,
      clause: 'never-shown',
      expected: 'reads that show the session as its cancel reported it',
      actual: '200, and reads that show it as before the cancel',
      fix: 'Look for what writes the session after its cancel: a read or a create that saves a copy from before, a job that restores it from another store, a second cancel that rolls back to the state before the first. Let each write change only what it is for, on the condition that the state is still the one it saw.',
    };
    return [{ ...violation, exchange, steps: session.stepsTo(exchange) }];
  });
}

/** The evaluation where nothing can be compared. */
function withoutComparison(session: SessionEvidence): Evaluation | undefined {
  const after = session.last('readAfter');
  if (hasStatus(after, 404)) return pass('the cancelled session is gone, answered 404');
  if (after === undefined || !hasStatus(after, 200))
    return inconclusive(
      `a read of the cancelled session was ${after ? `answered ${describeAnswer(after)}, which SESSION-2 evaluates` : 'not sent'}`,
    );
  const reads = session.lastOf('readBefore', 'readBeforeAgain', 'readAfter', 'readAfterAgain');
  if (reads.some((one) => sessionShownBy(session, one) === 'unknown'))
    return inconclusive('the reads do not show the session id, so they may be about another session');
  return session.fields('cancel') && session.fields('readAfter')
    ? undefined
    : inconclusive('not every response about the session is JSON');
}
