import { inconclusive, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CancelDiff, cancelDiff, matchesCancelDiff, stateFields } from './cancel-diff.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';

type Evidence = SessionEvidence<
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

/** Compares what refused cancels changed with what the valid reference cancel changed. */
export function effectsOf(
  session: Evidence,
  knownVolatile: ReadonlySet<string> = new Set(),
): RefusedCancelEffects {
  const readAfter = session.last('referenceReadAfter');
  const [before, after] = [fieldsOf(session.last('referenceRead')), fieldsOf(readAfter)];
  const diff = cancelDiff(before, after);
  const refusesRepeat = hasStatus(session.last('referenceCancelAgain'), 404, 409);
  const attemptLogs = refusesRepeat ? attemptLogsIn(session, diff, knownVolatile) : [];
  const volatilePointers = new Set([...knownVolatile, ...attemptLogs]);
  const isVisible =
    before !== undefined &&
    after !== undefined &&
    matchesCancelDiff(diff, before, after, volatilePointers).length > 0;
  const effects: Violation[] = [];
  const tested: Exchange[] = [];
  const changed = new Set<string | undefined>();
  for (const cancel of refusedCancels(session)) {
    const change = changeBy(session, cancel, diff, volatilePointers);
    if (change === undefined) continue;
    const isWrongBody = hasWrongBody(cancel);
    if (!isWrongBody) tested.push(cancel);
    if (change === 'unchanged') continue;
    changed.add(sessionIdOf(cancel));
    effects.push({
      statement: `A refused cancel changed the session: ${cancel.label}`,
      expected: `${describeAnswer(cancel)}, and the session as it was`,
      actual: `${describeAnswer(cancel)}, and then ${change}`,
      exchange: cancel,
      ...(isWrongBody ? { clause: 'after-400' } : {}),
    });
  }
  const isObservable = isVisible || refusesRepeat || hasStatus(readAfter, 404);
  return { effects: [...effects, ...lostSessions(session, changed)], tested, isObservable };
}

/** The cancels of the probe that were refused as they should be. */
function refusedCancels(session: Evidence): readonly Exchange[] {
  const { exchanges } = session;
  return exchanges.filter(
    (one) => (hasWrongKey(one) && hasStatus(one, 401, 403)) || (hasWrongBody(one) && hasStatus(one, 400)),
  );
}

function hasWrongKey({ step }: Exchange): boolean {
  return step === 'cancelWithWrongKey';
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
  return session
    .all('validCancel')
    .filter((cancel) => hasStatus(cancel, 200))
    .flatMap((cancel) => {
      const reads = sameSession(session, cancel).filter((one) => session.isRead(one));
      const [first, last] = [fieldsOf(reads[0]), fieldsOf(reads.at(-1))];
      if (first === undefined || last === undefined) return [];
      const changed = matchesCancelDiff(diff, first, last, volatilePointers);
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
  const exchanges = sameSession(session, cancel);
  const at = exchanges.indexOf(cancel);
  const isRead = (one: Exchange): boolean => session.isRead(one);
  const readBefore = exchanges.slice(0, at).findLast(isRead);
  const following = exchanges.slice(at + 1);
  const end = following.findIndex((one) => !isRead(one));
  const readAfter = (end < 0 ? following : following.slice(0, end)).at(-1);
  const [before, after] = [fieldsOf(readBefore), fieldsOf(readAfter)];
  if (before === undefined || session.otherIdShownBy(readBefore) !== undefined) return undefined;
  if (hasStatus(readAfter, 404)) return 'a session that is not found';
  if (after === undefined || session.otherIdShownBy(readAfter) !== undefined) return undefined;
  const changed = matchesCancelDiff(diff, before, after, volatilePointers);
  return changed.length === 0
    ? 'unchanged'
    : `a session that shows ${[...changed].sort()[0]} as if cancelled`;
}

function sameSession(session: Evidence, cancel: Exchange): readonly Exchange[] {
  return session.exchanges.filter((one) => sessionIdOf(one) === sessionIdOf(cancel));
}

/** Sessions that show no change after refused cancels, but that the last try of a valid cancel does not find open. */
function lostSessions(session: Evidence, changed: ReadonlySet<string | undefined>): readonly Violation[] {
  const lastTries = new Map(session.all('validCancel').map((cancel) => [sessionIdOf(cancel), cancel]));
  return [...lastTries.values()]
    .filter((cancel) => hasStatus(cancel, 404, 409) && !session.wasThrottled(cancel))
    .flatMap((cancel) => {
      const refused = refusedCancels(session).filter((one) => sessionIdOf(one) === sessionIdOf(cancel));
      if (refused.length === 0 || changed.has(sessionIdOf(cancel))) return [];
      return [
        {
          statement: 'A session could not be cancelled after a cancel that was refused',
          expected: '200',
          actual: describeAnswer(cancel),
          exchange: cancel,
          ...(refused.every(hasWrongBody) ? { clause: 'after-400' } : {}),
        },
      ];
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
