import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import type { Evaluation, Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { type CallSequence, describeSequence } from './call-sequence.ts';
import { callSequences, hasJoinedSequences } from './call-sequences.ts';
import { SequenceRunner, sequenceSteps as steps } from './sequence-runner.ts';
import { withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { hasStatus } from './session-exchange.ts';
import { isSessionOperation, uniqueBodyRemedy } from './session-operations.ts';
import {
  beginsSequence,
  certainWrongAnswers,
  isCertain,
  kindOf,
  longestLeftAlone,
  type WrongAnswer,
  wrongAnswers,
} from './wrong-answers.ts';

/** The sequence that shows a violation: a retry sends no other. */
const violatingSequences = new WeakMap<Exchange, CallSequence>();

// A create or cancel of another session may end a session: SESSION-5 only recommends that it does not. This check reports
// responses that are wrong in any case, and responses about sessions beside which no other was created or cancelled.
const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'SESSION-2',
  title: 'Creates, reads, cancels and refused cancels of several sessions get a defined status in any order',
  applies: isSessionOperation,
  needs: () => ['scoped-key', 'valid-call'],
  from: (operation) => (hasJoinedSequences(operation) ? 'quick' : 'standard'),
  steps,
  alone: () => true,
  probe: (client, operation) =>
    withSessions(client, async (sessions) => {
      const runner = new SequenceRunner(client, sessions);
      const evidence: Attempt = { exchanges: client.exchanges, operation };
      const earlier = earlierSequences(client);
      try {
        for (const sequence of earlier ?? callSequences(client, operation)) await runner.send(sequence);
        // Sessions of other cases may have kept a target from completing a sequence.
        if (earlier !== undefined && wrongAnswers(evidence).length === 0)
          for (const sequence of earlier) await runner.send(sequence);
        await compareDoubtful(runner, evidence);
        if (earlier === undefined) await simplifySequences(runner, evidence);
      } finally {
        for (const { exchange, sequence } of wrongAnswers(evidence))
          violatingSequences.set(exchange, sequence);
      }
    }),
  evaluate: (evidence) =>
    violatedOr(certainWrongAnswers(evidence).map(violationOf), () =>
      evaluateWithoutViolation(new SessionEvidence(evidence), wrongAnswers(evidence), evidence.operation),
    ),
});

export default check;

interface Attempt {
  /** Grows with every call. */
  readonly exchanges: readonly Exchange[];
  readonly operation: Operation;
}

/** The sequences that showed violations in earlier attempts; undefined where there are none. */
function earlierSequences({ earlier }: CaseClient): readonly CallSequence[] | undefined {
  const sequences = earlier
    .map((exchange) => violatingSequences.get(exchange))
    .filter((one) => one !== undefined);
  const byText = new Map(sequences.map((sequence) => [describeSequence(sequence), sequence]));
  return byText.size === 0 ? undefined : [...byText.values()];
}

/** Shows whether sessions that are left alone stay open for as long as those that were answered wrongly. */
async function compareDoubtful(runner: SequenceRunner, evidence: Attempt): Promise<void> {
  const doubtful = wrongAnswers(evidence).filter(({ mayHaveOtherCauses }) => mayHaveOtherCauses);
  if (doubtful.length === 0) return;
  const pauseMs = 1.5 * Math.max(...doubtful.map(({ age }) => age)) + 100;
  await runner.compare(pauseMs);
  // The last cancel of a sequence may harm the session that is created next.
  if (longestLeftAlone(evidence.exchanges) === undefined)
    await runner.compare(pauseMs, 'after another create');
}

/** Removes calls from the sequences that were answered wrongly, one for each kind of wrong answer. */
async function simplifySequences(runner: SequenceRunner, evidence: Attempt): Promise<void> {
  const firstIndex = evidence.exchanges.length;
  for (const wrong of certainWrongAnswers(evidence)) {
    await runner.simplify(wrong.sequence, firstIndex, (fromIndex) => {
      const sent = evidence.exchanges.slice(fromIndex);
      return wrongAnswers(evidence).some(
        (one) =>
          sent.includes(one.exchange) && kindOf(one) === kindOf(wrong) && isCertain(one, evidence.exchanges),
      );
    });
  }
}

function violationOf({ sequence, steps, statement, expected, actual, exchange }: WrongAnswer): Violation {
  const detail = describeSequence(sequence);
  const reproduction = `# in this order; each letter is a session of its own: ${detail}`;
  return { statement, expected, actual, exchange, steps, detail, reproduction };
}

function evaluateWithoutViolation(
  session: SessionEvidence<'call'>,
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
  const isCancelled = session.exchanges.some((one) => session.isCancel(one) && hasStatus(one, 200));
  if (!isCancelled || !calls.some((call) => call.operation === operation.id))
    return notTested('no session was created and cancelled');
  const sequences = calls.filter(beginsSequence).length;
  return pass(`${sequences} sequences of ${calls.length} calls, each answered with a defined status`);
}
