import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import { inconclusive, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer, endOf } from '../../harness/evidence/answer.ts';
import { isMoment, type Leaf, readsSame } from '../../harness/evidence/json-leaves.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import { isLink, isStateValue, stateChanged } from './session-changes.ts';
import { fieldsOf, hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';

/** The maximum number of fields that a finding names. */
const namedFields = 3;

/** What a cancel reports of a field, and what a read showed before. */
interface Report {
  readonly pointer: string;
  readonly said: Leaf;
  readonly old: Leaf | undefined;
}

/** What reads contradict of a cancel. */
export function contradicted(session: SessionEvidence): readonly Violation[] {
  const cancelled = session.last('cancel');
  const pointers = contradictions(session);
  if (cancelled === undefined || pointers.length === 0) return [];
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

/** The fields of which a cancel reports a change, and which reads show too. */
export function reportedChanges(session: SessionEvidence): readonly Report[] {
  return reports(session).filter(
    ({ said, old }) => old !== undefined && !isLink(said) && !readsSame(said, old),
  );
}

/**
 * Pointers at which the reads after a cancel contradict its response. Links and times do not count; numbers count only
 * where they are as before the cancel; and a state may have advanced, as from cancelling to cancelled.
 */
export function contradictions(session: SessionEvidence): readonly string[] {
  const read = session.fields('readAfter');
  const rereads = session.all('readAfterAgain').map(fieldsOf);
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

/**
 * Whether all reads, up to the time by which every cache must know, show each field of which the cancel reports a change,
 * a state among them, as it was.
 */
export function isNeverShown(session: SessionEvidence): boolean {
  const cancel = session.last('cancel');
  const again = session.all('readAfterAgain');
  const late = again.filter(
    (read) => cancel && Date.parse(read.startedAt) - endOf(cancel) >= longestPropagation,
  );
  if (late.length === 0 || !late.every((read) => hasStatus(read, 200))) return false;
  const changes = reportedChanges(session);
  const reads = [...session.all('readAfter'), ...again].map(fieldsOf);
  return (
    changes.some(({ said, old = null }) => isStateValue(said) && isStateValue(old)) &&
    reads.every((read) =>
      changes.every(({ pointer, old = null }) => {
        const shown = read?.get(pointer);
        return shown !== undefined && readsSame(shown, old);
      }),
    )
  );
}

/** Whether the read in a step shows the session, or another one, with each state as it was before the cancel. */
export function isOpenAgain(session: SessionEvidence, readStep: string): boolean {
  const read = session.fields(readStep);
  const states = reportedChanges(session).filter(
    ({ said, old = null }) => isStateValue(said) && isStateValue(old),
  );
  return (
    states.length > 0 &&
    states.every(({ pointer, old = null }) => {
      const shown = read?.get(pointer);
      return shown !== undefined && readsSame(shown, old);
    })
  );
}

/** Sessions that were cancelled with 200 and shown so, and that two reads seconds later show as before. */
export function reopened(session: SessionEvidence): readonly Violation[] {
  if (contradictions(session).length > 0) return [];
  return (
    [
      ['cancel', 'readLate', 'A cancelled session was open again seconds later'],
      ['cancelBeside', 'readBesideLate', 'A cancel beside a read of the session was lost'],
    ] as const
  ).flatMap(([cancelStep, readStep, statement]) => {
    const read = session.last(`${readStep}Again`);
    const isOpen = [readStep, `${readStep}Again`].every((step) => isOpenAgain(session, step));
    if (read === undefined || !isOpen || !session.answered(cancelStep, 200)) return [];
    return [
      {
        statement,
        clause: 'never-shown',
        expected: 'reads that show the session as its cancel reported it',
        actual: '200, and reads that show it as before the cancel',
        fix: 'Look for what writes the session after its cancel: a read or a create that saves a copy from before, a job that restores it from another store, a second cancel that rolls back to the state before the first. Let each write change only what it is for, on the condition that the state is still the one it saw.',
        exchange: read,
        steps: session.stepsTo(read),
      },
    ];
  });
}

/** A read of a cancelled session that shows the one that was cancelled after it. */
export function shownInPlace(session: SessionEvidence): readonly Violation[] {
  const read = session.last('readLate');
  if (read === undefined || session.otherIdShownBy(read) === undefined) return [];
  return [
    {
      statement: 'A read of a cancelled session showed another one',
      clause: 'another-session',
      expected: 'the session with the requested id, or 404',
      actual: '200 with another session',
      exchange: read,
      steps: session.stepsTo(read),
    },
  ];
}

/** All that a cancel reports of fields that are neither volatile nor other in a create than in a read. */
function reports(session: SessionEvidence): readonly Report[] {
  const before = session.fields('readBefore');
  const again = session.fields('readBeforeAgain');
  const cancelled = session.fields('cancel');
  if (before === undefined || again === undefined || cancelled === undefined) return [];
  const created = session.createdFields(session.last('cancel'));
  return [...cancelled].flatMap(([pointer, said]) => {
    const [old, atCreate] = [before.get(pointer), created?.get(pointer)];
    const differsByOperation = atCreate !== undefined && old !== undefined && !readsSame(atCreate, old);
    const isVolatile = old !== again.get(pointer) && old !== undefined;
    return differsByOperation || isVolatile ? [] : [{ pointer, said, old }];
  });
}

/** Whether one text can follow the other: the first names a transition, or both are similar. */
function mayHaveAdvanced(said: Leaf, now: Leaf): boolean {
  if (typeof said !== 'string' || typeof now !== 'string') return false;
  const [one, two] = [said.toLowerCase(), now.toLowerCase()];
  if (/ing\b|pend|progress|request|process|queue|accept|wait|schedul|initiat/.test(one)) return true;
  return one.includes(two) || two.includes(one) || one.slice(0, 4) === two.slice(0, 4);
}

/** The evaluation where nothing can be compared. */
export function withoutComparison(session: SessionEvidence): Evaluation | undefined {
  const after = session.last('readAfter');
  if (after === undefined) return inconclusive('the session was not read after its cancel');
  if (hasStatus(after, 404)) return pass('the cancelled session is gone, answered 404');
  if (!hasStatus(after, 200))
    return inconclusive(
      `a read of the cancelled session was answered ${describeAnswer(after)}, which SESSION-2 evaluates`,
    );
  const reads = session.lastOf('readBefore', 'readBeforeAgain', 'readAfter', 'readAfterAgain');
  if (reads.some((one) => session.otherIdShownBy(one) !== undefined))
    return inconclusive('the reads do not show the session id, so they may be about another session');
  return session.fields('cancel') === undefined || session.fields('readAfter') === undefined
    ? inconclusive('not every response about the session is JSON')
    : undefined;
}
