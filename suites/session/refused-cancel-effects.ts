import { inconclusive, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CancelDiff, cancelDiff, matchesCancelDiff, stateFields } from './cancel-diff.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf, unexpected } from './session-exchange.ts';

type Evidence = SessionEvidence<
  | 'groupBefore'
  | 'groupCancel'
  | 'groupAfter'
  | 'groupValid'
  | 'groupLast'
  | 'referenceRead'
  | 'referenceReadAfter'
  | 'referenceCancelAgain'
  | 'cancelWithWrongKey'
  | 'cancelWithWrongBody'
  | 'validCancel'
>;

/** What refused cancels did to their sessions. */
export interface RefusedCancelEffects {
  readonly effects: readonly Violation[];
  /** Cancels that were refused with 401 or 403, of sessions that were read before and after. */
  readonly tested: readonly Exchange[];
  /** Whether anything distinguishes a cancelled session from an open one. */
  readonly isObservable: boolean;
}

/**
 * Whether a session was open after all wrong cancels. Only where a valid cancel then changed it: otherwise nothing
 * distinguishes a cancelled session from an open one.
 */
export function hadNoEffect(session: Evidence): boolean {
  const [before, after] = [session.fields('groupBefore'), session.fields('groupAfter')];
  const wrong = session.all('groupCancel');
  if (before === undefined || after === undefined || !session.answered('groupValid', 200)) return false;
  if (wrong.length === 0 || !wrong.every((one) => hasStatus(one, 400, 401, 403))) return false;
  const last = session.fields('groupLast');
  if (last === undefined) return session.answered('groupLast', 404);
  const shown = matchesCancelDiff(cancelDiff(after, last), after, last, new Set());
  return shown.length > 0 && cancelDiff(before, after).size === 0;
}

/** Compares what refused cancels changed with what the valid reference cancel changed. */
export function effectsOf(
  session: Evidence,
  knownVolatile: ReadonlySet<string> = new Set(),
): RefusedCancelEffects {
  const [before, after] = [session.fields('referenceRead'), session.fields('referenceReadAfter')];
  const diff = cancelDiff(before, after);
  const refusesRepeat = session.answered('referenceCancelAgain', 404, 409);
  const attemptLogs = refusesRepeat ? attemptLogsIn(session, diff, knownVolatile) : [];
  const volatilePointers = new Set([...knownVolatile, ...attemptLogs]);
  const isVisible = before && after && matchesCancelDiff(diff, before, after, volatilePointers).length > 0;
  const compared = refusedCancels(session).flatMap((cancel) => {
    const change = changeBy(session, cancel, diff, volatilePointers);
    return change === undefined ? [] : [{ cancel, change }];
  });
  const changes = compared.filter(({ change }) => change !== 'unchanged');
  const effects = changes.map(({ cancel, change }) => ({
    statement: `A refused cancel changed the session: ${cancel.label}`,
    expected: `${describeAnswer(cancel)}, and the session as it was`,
    actual: `${describeAnswer(cancel)}, and then ${change}`,
    exchange: cancel,
    ...(hasWrongBody(cancel) ? { clause: 'after-400' } : {}),
  }));
  const changed = new Set(changes.map(({ cancel }) => sessionIdOf(cancel)));
  return {
    effects: [...effects, ...lostSessions(session, changed)],
    tested: compared.map(({ cancel }) => cancel).filter((cancel) => !hasWrongBody(cancel)),
    isObservable: isVisible === true || refusesRepeat || session.answered('referenceReadAfter', 404),
  };
}

/** The cancels of the probe that were refused as they should be. */
function refusedCancels(session: Evidence): readonly Exchange[] {
  return [
    ...session.all('cancelWithWrongKey').filter((one) => hasStatus(one, 401, 403)),
    ...session.all('cancelWithWrongBody').filter((one) => hasStatus(one, 400)),
  ];
}

function hasWrongBody({ step }: Exchange): boolean {
  return step === 'cancelWithWrongBody';
}

/**
 * Pointers of state fields that only log attempts: they changed as in a valid cancel while other state fields did not,
 * and a valid cancel still succeeded, on a target that refuses to cancel a session twice.
 */
function attemptLogsIn(
  session: Evidence,
  diff: CancelDiff,
  volatilePointers: ReadonlySet<string>,
): readonly string[] {
  const states = stateFields(diff, volatilePointers);
  const valid = session.all('validCancel').filter((cancel) => hasStatus(cancel, 200));
  return valid.flatMap((cancel) => {
    const reads = session.ofSession(cancel).filter((one) => session.isRead(one));
    const [first, last] = [fieldsOf(reads[0]), fieldsOf(reads.at(-1))];
    const changed = first && last ? matchesCancelDiff(diff, first, last, volatilePointers) : [];
    return changed.length < states.size ? changed : [];
  });
}

/** What one refused cancel did to its session; undefined where the reads do not show it. */
function changeBy(
  session: Evidence,
  cancel: Exchange,
  diff: CancelDiff,
  volatilePointers: ReadonlySet<string>,
): string | undefined {
  const exchanges = session.ofSession(cancel);
  const at = exchanges.indexOf(cancel);
  const isRead = (one: Exchange): boolean => session.isRead(one);
  const readBefore = exchanges.slice(0, at).findLast(isRead);
  const next = exchanges.findIndex((one, later) => later > at && !isRead(one));
  const [readAfter] = exchanges.slice(at + 1, next < 0 ? undefined : next).slice(-1);
  const [before, after] = [fieldsOf(readBefore), fieldsOf(readAfter)];
  if (before === undefined || session.otherIdShownBy(readBefore) !== undefined) return undefined;
  if (hasStatus(readAfter, 404)) return 'a session that is not found';
  if (after === undefined || session.otherIdShownBy(readAfter) !== undefined) return undefined;
  const changed = matchesCancelDiff(diff, before, after, volatilePointers);
  return changed.length === 0
    ? 'unchanged'
    : `a session that shows ${[...changed].sort()[0]} as if cancelled`;
}

/** Sessions that show no change after refused cancels, but that the last try of a valid cancel does not find open. */
function lostSessions(session: Evidence, changed: ReadonlySet<string | undefined>): readonly Violation[] {
  const lastTries = new Map(session.all('validCancel').map((cancel) => [sessionIdOf(cancel), cancel]));
  return [...lastTries].flatMap(([id, cancel]) => {
    const refused = refusedCancels(session).filter((one) => sessionIdOf(one) === id);
    const isLost = hasStatus(cancel, 404, 409) && !session.wasThrottled(cancel);
    if (!isLost || refused.length === 0 || changed.has(id)) return [];
    const statement = 'A session could not be cancelled after a cancel that was refused';
    const clause = refused.every(hasWrongBody) ? { clause: 'after-400' } : {};
    return [{ ...unexpected(statement, '200', cancel), ...clause }];
  });
}

/** The evaluation where no refused cancel had an effect. */
export function evaluateWithoutEffect(
  session: Evidence,
  { tested, isObservable }: RefusedCancelEffects,
): Evaluation {
  const statuses = tested.map(describeAnswer).join(', ');
  if (tested.length === 0) return inconclusive('no cancel of a readable session was refused with 401 or 403');
  if (!isObservable)
    return inconclusive(
      'neither a read nor a second cancel distinguishes a cancelled session from an open one',
    );
  const cancels = session.all('cancelWithWrongKey');
  if (!cancels.some(({ request }) => request.credential.kind === 'unscoped')) {
    return inconclusive(
      `no effect after ${statuses}, but no key that gets 403 is known`,
      'keys: { unscoped: <a good key without catalog:read> }',
    );
  }
  const untested = cancels.find((cancel) => !tested.includes(cancel));
  return untested === undefined
    ? pass(`no effect of cancels that were refused with ${statuses}`)
    : inconclusive(
        `the ${untested.label} was answered ${describeAnswer(untested)}, which the checks of keys evaluate`,
      );
}
