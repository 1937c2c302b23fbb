import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Operation } from '../../spec/operation.ts';
import { describeSequence } from './call-sequence.ts';
import { sequencesFrom } from './call-sequences.ts';
import { probeSequences, sequenceSteps } from './sequence-story.ts';
import { sessionCheck } from './session-check.ts';
import type { SessionEvidence } from './session-evidence.ts';
import { hasStatus } from './session-exchange.ts';
import { hasRole, uniqueBodyRemedy } from './session-operations.ts';
import { beginsSequence, certainWrongAnswers, type WrongAnswer, wrongAnswers } from './wrong-answers.ts';

// A create or cancel of another session may end a session: SESSION-5 only recommends that it does not. This check reports
// responses that are wrong in any case, and responses about sessions beside which no other was created or cancelled.
const check: ActiveCheck = sessionCheck({
  last: true,
  requirement: 'SESSION-2',
  title: 'Creates, reads, cancels and refused cancels of several sessions get a defined status in any order',
  applies: hasRole('creates-session', 'reads-session', 'ends-session'),
  from: sequencesFrom,
  steps: sequenceSteps,
  alone: () => true,
  probe: probeSequences,
  evaluate: (session, evidence) =>
    violatedOr(certainWrongAnswers(evidence).map(violationOf), () =>
      evaluateWithoutViolation(session, wrongAnswers(evidence), evidence.operation),
    ),
});

export default check;

function violationOf({ sequence, steps, statement, expected, actual, exchange }: WrongAnswer): Violation {
  const detail = describeSequence(sequence);
  const reproduction = `# in this order; each letter is a session of its own: ${detail}`;
  return { statement, expected, actual, exchange, steps, detail, reproduction };
}

function evaluateWithoutViolation(
  session: SessionEvidence,
  [uncertain]: readonly WrongAnswer[],
  operation: Operation,
): Evaluation {
  if (uncertain !== undefined) {
    const reason = `${describeSequence(uncertain.sequence)}: the last call was answered ${uncertain.actual}`;
    return uncertain.exchange.operation === operation.id
      ? notTested(`${reason}, but something else may have ended the session`, uniqueBodyRemedy(operation))
      : inconclusive(`${reason}, which the cases of ${uncertain.exchange.operation} evaluate`);
  }
  const calls = session.all('call');
  const isCancelled = session.exchanges.some((one) => session.is('ends-session', one) && hasStatus(one, 200));
  if (!isCancelled || !calls.some((call) => call.operation === operation.id))
    return notTested('no session was created and cancelled');
  const sequences = calls.filter(beginsSequence).length;
  return pass(`${sequences} sequences of ${calls.length} calls, each answered with a defined status`);
}
