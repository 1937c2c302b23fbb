import { inconclusive, notTested, pass } from '../../harness/checks/outcomes.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { evaluateContradictions, untouchedSessionOf } from './comparison.ts';
import {
  fieldsOf,
  hasStatus,
  hasWrongBody,
  isWrongCall,
  type SessionEvidence,
  sessionIdOf,
} from './session-evidence.ts';
import { changesOf } from './session-fields.ts';
import { sessionShownBy } from './session-identity.ts';
import { cancelChanges, isVisible, livesIn, plainLife, refusesRepeats } from './session-life.ts';
import { type Contradiction, contradictionsOf } from './session-model.ts';

/**
 * Whether a session was open after all wrong cancels. Only where a valid cancel then changed it: otherwise nothing
 * distinguishes a cancelled session from an open one.
 */
export function hadNoEffect(session: SessionEvidence): boolean {
  const [all, ...others] = livesIn(session);
  if (all === undefined || others.length > 0 || all.wrong.length === 0) return false;
  const [before, kept, after] = [all.before, all.kept, all.after].map(fieldsOf);
  if (before === undefined || kept === undefined || !hasStatus(all.cancel, 200)) return false;
  if (!all.wrong.every((one) => hasStatus(one, 400, 401, 403))) return false;
  if (after === undefined) return hasStatus(all.after, 404);
  return isVisible(changesOf(kept, after)) && changesOf(before, kept).length === 0;
}

/**
 * What refused cancels changed as a valid cancel does, by the last one; those that join wrong keys and wrong bodies leave
 * open which it was.
 */
export function effectsOf(session: SessionEvidence): readonly Contradiction[] {
  const effects = new Map<Exchange, Contradiction>();
  const { volatilePointers } = untouchedSessionOf(session) ?? {};
  for (const one of contradictionsOf(session, volatilePointers)) {
    const { exchange, since, before } = one;
    const cancel = since.at(-1);
    if (cancel === undefined || effects.has(cancel)) continue;
    const isWrongBody = hasWrongBody(cancel);
    const refusals = isWrongBody ? [400] : [401, 403];
    if (!since.every((other) => isWrongCall(other) && hasStatus(other, ...refusals))) continue;
    const found = { ...one, isDoubtful: true, ...(isWrongBody ? { clause: 'after-400' } : {}) };
    const answer = describeAnswer(cancel);
    const tries = session.callsOn(sessionIdOf(exchange)).filter(({ step }) => step === exchange.step);
    if (tries.at(-1) !== exchange || isWrongCall(exchange)) continue;
    if (session.is('ends-session', exchange) && hasStatus(exchange, 404, 409))
      effects.set(cancel, {
        ...found,
        statement: 'A session could not be cancelled after a cancel that was refused',
      });
    else if (session.is('reads-session', exchange) && fieldsOf(before) && hasStatus(exchange, 200, 404))
      effects.set(cancel, {
        ...found,
        statement: `A refused cancel changed the session: ${since.map(({ label }) => label).join(', then ')}`,
        expected: `${answer}, and the session as it was`,
        actual: `${answer}, and then ${one.actual} to a read`,
        exchange: cancel,
      });
  }
  return [...effects.values()];
}

/** Evaluates all wrong cancels of one session, or else single ones in view of a valid cancel. */
export function evaluateRefusals(session: SessionEvidence): Evaluation {
  const [all] = livesIn(session);
  if (all === undefined) return inconclusive('no session was created');
  if (hadNoEffect(session)) return noEffectOf(all.wrong);
  const cancel = plainLife(session)?.cancel;
  if (cancel === undefined) return inconclusive('the session cannot be read, which SESSION-1 evaluates');
  if (!hasStatus(cancel, 200))
    return notTested(`a valid cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
  return evaluateContradictions(session, effectsOf(session), () => evaluateWithoutEffect(session));
}

function evaluateWithoutEffect(session: SessionEvidence): Evaluation {
  const withKey = livesIn(session).filter(({ wrong }) => wrong.length === 1 && !wrong.some(hasWrongBody));
  const isShown = (read: Exchange | undefined): boolean =>
    fieldsOf(read) !== undefined && (read && sessionShownBy(session, read)) !== 'unknown';
  const tested = withKey.filter(
    ({ before, kept, wrong: [cancel] }) => hasStatus(cancel, 401, 403) && isShown(before) && isShown(kept),
  );
  if (tested.length === 0) return inconclusive('no cancel of a readable session was refused with 401 or 403');
  const changes = cancelChanges(session, untouchedSessionOf(session)?.volatilePointers);
  if (!isVisible(changes) && !hasStatus(plainLife(session)?.after, 404) && !refusesRepeats(session))
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

function noEffectOf(cancels: readonly Exchange[]): Evaluation {
  return pass(`no effect of cancels that were refused with ${cancels.map(describeAnswer).join(', ')}`);
}

/** Whether no session ended by itself before it was cancelled; unknown at first. */
export function livesLong(session: SessionEvidence): boolean {
  return !livesIn(session).some(
    ({ wrong, kept, cancel }) => wrong.length === 0 && (hasStatus(kept, 404) || hasStatus(cancel, 404, 409)),
  );
}
