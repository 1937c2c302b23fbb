import { control, namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { cancelDiff, matchesCancelDiff } from './cancel-diff.ts';
import type { SessionClient } from './session-client.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';

type GroupStep = 'groupBefore' | 'groupCancel' | 'groupAfter' | 'groupValid' | 'groupLast';

const inQuick: StepPlan = { until: 'quick' };

/** Steps that send all wrong cancels to one session. */
export const groupSteps: Readonly<Record<GroupStep, Step>> = namedSteps({
  groupBefore: witness('reads the session before all wrong cancels', inQuick),
  groupCancel: probe('wrong cancel', { times: 5, ...inQuick }),
  groupAfter: witness('reads the session after all wrong cancels', inQuick),
  groupValid: control('cancels the session with a valid call after all wrong ones', inQuick),
  groupLast: witness('reads the session after the valid cancel', inQuick),
});

/** Sends all wrong cancels to one session; true where its reads and a valid cancel show that none had an effect. */
export async function haveNoEffect(
  sessions: SessionClient,
  wrongCancels: readonly CallChanges[],
): Promise<boolean> {
  const id = await sessions.create();
  if (!hasStatus(await sessions.read(id, groupSteps.groupBefore), 200)) return false;
  for (const wrong of wrongCancels)
    if (hasStatus(await sessions.cancel(id, groupSteps.groupCancel, wrong), 200)) return false;
  if (!hasStatus(await sessions.readOnce(id, groupSteps.groupAfter), 200)) return false;
  if (!hasStatus(await sessions.cancelOnce(id, groupSteps.groupValid), 200)) return false;
  await sessions.readOnce(id, groupSteps.groupLast);
  return hadNoEffect(sessions.evidence);
}

/**
 * Whether a session was open after all wrong cancels. Only where a valid cancel then changed it: otherwise nothing
 * distinguishes a cancelled session from an open one.
 */
export function hadNoEffect(evidence: SessionEvidence): boolean {
  const session = evidence as SessionEvidence<GroupStep>;
  const last = session.last('groupLast');
  const [before, after] = [session.last('groupBefore'), session.last('groupAfter')].map(fieldsOf);
  const wrong = session.all('groupCancel');
  const ids = [...wrong, session.last('groupBefore'), session.last('groupAfter'), last].map(sessionIdOf);
  if (wrong.length === 0 || new Set(ids).size > 1 || before === undefined || after === undefined)
    return false;
  if (!wrong.every((one) => hasStatus(one, 400, 401, 403)) || !hasStatus(session.last('groupValid'), 200))
    return false;
  if (hasStatus(last, 404)) return true;
  const cancelled = fieldsOf(last);
  if (cancelled === undefined) return false;
  const diff = cancelDiff(after, cancelled);
  const none = new Set<string>();
  return matchesCancelDiff(diff, after, cancelled, none).length > 0 && cancelDiff(before, after).size === 0;
}
