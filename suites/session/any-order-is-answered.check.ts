import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Operation } from '../../spec/operation.ts';
import { isFirstCall } from './call-sequence.ts';
import { certainContradictions, sequenceContradictions } from './sequence-contradictions.ts';
import { probeSequences, sequenceSteps, weightOfSequences } from './sequence-story.ts';
import { hasRole, sessionCheck } from './session-check.ts';
import { hasStatus, type SessionEvidence } from './session-evidence.ts';
import { violationOf } from './session-model.ts';

const check: ActiveCheck = sessionCheck({
  stage: 'last',
  requirement: 'SESSION-2',
  title: 'Creates, reads, cancels and refused cancels of several sessions get a defined status in any order',
  applies: hasRole('creates-session', 'reads-session', 'ends-session'),
  weight: weightOfSequences,
  steps: sequenceSteps,
  alone: () => true,
  probe: probeSequences,
  evaluate: (session, { operation }) => {
    const violations = certainContradictions(session, operation.id).map(({ sequence, ...one }) => ({
      ...violationOf(one),
      detail: sequence,
      reproduction: `# in this order; each letter is a session of its own: ${sequence}`,
    }));
    return violatedOr(violations, () => evaluateWithoutViolation(session, operation));
  },
});

export default check;

function evaluateWithoutViolation(session: SessionEvidence, operation: Operation): Evaluation {
  const [uncertain] = sequenceContradictions(session);
  if (uncertain !== undefined) {
    const reason = `${uncertain.sequence}: the last call was answered ${uncertain.actual}`;
    return uncertain.exchange.operation === operation.id
      ? notTested(`${reason}, but something else may have ended the session`, session.remedy)
      : inconclusive(`${reason}, which the cases of ${uncertain.exchange.operation} evaluate`);
  }
  const calls = session.of('call');
  const isCancelled = session.exchanges.some((one) => session.is('ends-session', one) && hasStatus(one, 200));
  if (!isCancelled || !calls.some((call) => call.operation === operation.id))
    return notTested('no session was created and cancelled');
  const sequences = calls.filter(isFirstCall).length;
  return pass(`${sequences} sequences of ${calls.length} calls, each answered with a defined status`);
}
