import { inconclusive, notTested, pass, unexpected } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Change, changedAsBy, changesOf, isOfState } from './session-changes.ts';
import { fieldsOf, hasStatus, type SessionEvidence, sessionIdOf } from './session-evidence.ts';
import { unlessDisturbed, untouchedSessionOf } from './untouched-session.ts';

/** A session, its wrong cancels, and what was sent around them. */
interface Trial {
  readonly wrong: readonly Exchange[];
  readonly before: Exchange | undefined;
  readonly after: Exchange | undefined;
  readonly validCancel: Exchange | undefined;
  readonly last: Exchange | undefined;
}

type Pointers = ReadonlySet<string>;

/** Whether a valid cancel seems to have changed nothing, as a part of the target may not know of it yet. */
export function showsNoChange(session: SessionEvidence): boolean {
  const [after, last] = [session.fields('after'), session.fields('last')];
  return after !== undefined && last !== undefined && changesOf(after, last).length === 0;
}

/**
 * Whether a session was open after all wrong cancels. Only where a valid cancel then changed it: otherwise nothing
 * distinguishes a cancelled session from an open one.
 */
export function hadNoEffect(session: SessionEvidence): boolean {
  const [all, ...others] = trialsOf(session);
  if (all === undefined || others.length > 0 || all.wrong.length === 0) return false;
  const [before, after, last] = [all.before, all.after, all.last].map(fieldsOf);
  if (before === undefined || after === undefined || !hasStatus(all.validCancel, 200)) return false;
  if (!all.wrong.every((one) => hasStatus(one, 400, 401, 403))) return false;
  if (last === undefined) return hasStatus(all.last, 404);
  const cancelled = changesOf(after, last);
  return changedAsBy(cancelled, cancelled).length > 0 && changesOf(before, after).length === 0;
}

/** What wrong cancels changed as a valid cancel does; those that join wrong keys and wrong bodies leave open which it was. */
export function effectsOf(session: SessionEvidence, knownVolatile?: Pointers): readonly Violation[] {
  const trials = trialsOf(session).filter(({ wrong }) => new Set(wrong.map(hasWrongBody)).size === 1);
  const refusesRepeat = session.answered('cancelAgain', 404, 409);
  const logs = refusesRepeat ? trials.flatMap((one) => attemptLogsIn(session, one, knownVolatile)) : [];
  const cancelled = changesByCancel(session, new Set([...(knownVolatile ?? []), ...logs]));
  return trials.flatMap((trial) => {
    const { wrong, validCancel } = trial;
    const cancel = wrong.at(-1);
    const isWrongBody = cancel !== undefined && hasWrongBody(cancel);
    const refusals = isWrongBody ? [400] : [401, 403];
    if (cancel === undefined || !wrong.every((one) => hasStatus(one, ...refusals))) return [];
    const clause = isWrongBody ? { clause: 'after-400' } : {};
    const change = changeIn(session, trial, cancelled);
    if (change !== undefined) {
      const answer = describeAnswer(cancel);
      const statement = `A refused cancel changed the session: ${wrong.map(({ label }) => label).join(', then ')}`;
      const actual = `${answer}, and then ${change}`;
      return [unexpected(statement, `${answer}, and the session as it was`, cancel, { actual, ...clause })];
    }
    if (validCancel === undefined || !hasStatus(validCancel, 404, 409)) return [];
    const statement = 'A session could not be cancelled after a cancel that was refused';
    return session.wasThrottled(validCancel) ? [] : [unexpected(statement, '200', validCancel, clause)];
  });
}

/** Evaluates all wrong cancels of one session, or else single ones in view of a valid cancel. */
export function evaluateTrials(session: SessionEvidence): Evaluation {
  const [all] = trialsOf(session);
  if (all === undefined) return inconclusive('no session was created');
  if (hadNoEffect(session)) return noEffectOf(all.wrong);
  const cancel = referenceOf(session)?.validCancel;
  if (cancel === undefined) return inconclusive('the session cannot be read, which SESSION-1 evaluates');
  if (!hasStatus(cancel, 200))
    return notTested(`a valid cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
  const effects = (volatile?: Pointers): readonly Violation[] => effectsOf(session, volatile);
  return unlessDisturbed(session, 'a session changed after a refused cancel', effects, () =>
    evaluateWithoutEffect(session),
  );
}

function evaluateWithoutEffect(session: SessionEvidence): Evaluation {
  const withKey = trialsOf(session).filter(({ wrong }) => wrong.length === 1 && !wrong.some(hasWrongBody));
  const tested = withKey.filter(
    ({ before, after, wrong: [cancel] }) =>
      hasStatus(cancel, 401, 403) && [before, after].every((one) => isShownBy(session, one)),
  );
  if (tested.length === 0) return inconclusive('no cancel of a readable session was refused with 401 or 403');
  const cancelled = changesByCancel(session, untouchedSessionOf(session)?.volatilePointers);
  const isVisible = changedAsBy(cancelled, cancelled).length > 0;
  const isGone = hasStatus(referenceOf(session)?.last, 404);
  if (!isVisible && !isGone && !session.answered('cancelAgain', 404, 409))
    return inconclusive(
      'neither a read nor a second cancel distinguishes a cancelled session from an open one',
    );
  const [untested] = withKey.find((one) => !tested.includes(one))?.wrong ?? [];
  return untested === undefined
    ? noEffectOf(tested.flatMap(({ wrong }) => wrong))
    : inconclusive(
        `the ${untested.label} was answered ${describeAnswer(untested)}, which the checks of keys evaluate`,
      );
}

function hasWrongBody({ row }: Exchange): boolean {
  return row?.['body'] !== undefined;
}

function noEffectOf(cancels: readonly Exchange[]): Evaluation {
  return pass(`no effect of cancels that were refused with ${cancels.map(describeAnswer).join(', ')}`);
}

/** The trials in their order. */
function trialsOf(session: SessionEvidence): readonly Trial[] {
  const ids = new Set(session.all('before').map(sessionIdOf));
  return [...ids].map((id) => {
    const all = (step: string): readonly Exchange[] =>
      session.all(step).filter((one) => sessionIdOf(one) === id);
    const [before, after, validCancel, last] = ['before', 'after', 'validCancel', 'last'].map((step) =>
      all(step).at(-1),
    );
    return { wrong: all('wrongCancel'), before, after, validCancel, last };
  });
}

/** Whether no session ended by itself before it was cancelled; unknown at first. */
export function livesLong(session: SessionEvidence): boolean {
  return !trialsOf(session).some(
    ({ wrong, after, validCancel }) =>
      wrong.length === 0 && (hasStatus(after, 404) || hasStatus(validCancel, 404, 409)),
  );
}

/** The trial without wrong cancels, which shows what a valid one changes. */
function referenceOf(session: SessionEvidence): Trial | undefined {
  const all = trialsOf(session).filter(
    ({ wrong, validCancel }) => wrong.length === 0 && validCancel !== undefined,
  );
  return all.find(({ validCancel }) => hasStatus(validCancel, 200)) ?? all[0];
}

/** What a valid cancel changes. */
function changesByCancel(session: SessionEvidence, volatilePointers?: Pointers): readonly Change[] {
  const { before, last } = referenceOf(session) ?? {};
  return changesOf(fieldsOf(before), fieldsOf(last), volatilePointers);
}

/**
 * Pointers of state fields that only log attempts: they changed as in a valid cancel while other state fields did not,
 * and a valid cancel still succeeded, on a target that refuses to cancel a session twice.
 */
function attemptLogsIn(
  session: SessionEvidence,
  { before, after, validCancel }: Trial,
  volatilePointers?: Pointers,
): readonly string[] {
  if (!hasStatus(validCancel, 200)) return [];
  const cancelled = changesByCancel(session, volatilePointers);
  const changed = changedAsBy(cancelled, changesOf(fieldsOf(before), fieldsOf(after)));
  return changed.length < cancelled.filter(isOfState).length ? changed : [];
}

/** What a refused cancel did to its session; undefined where the reads show nothing. */
function changeIn(
  session: SessionEvidence,
  { before, after }: Trial,
  cancelled: readonly Change[],
): string | undefined {
  if (!isShownBy(session, before)) return undefined;
  if (hasStatus(after, 404)) return 'a session that is not found';
  if (!isShownBy(session, after)) return undefined;
  const [pointer] = [...changedAsBy(cancelled, changesOf(fieldsOf(before), fieldsOf(after)))].sort();
  return pointer === undefined ? undefined : `a session that shows ${pointer} as if cancelled`;
}

/** Whether a read shows its session. */
function isShownBy(session: SessionEvidence, read: Exchange | undefined): boolean {
  return fieldsOf(read) !== undefined && session.otherIdShownBy(read) === undefined;
}
