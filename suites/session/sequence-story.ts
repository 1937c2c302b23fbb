import { control, namedSteps, probe, reduction, type Steps } from '../../harness/checks/step.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { type CallSequence, describeSequence, labelOfCall, simplerSequences } from './call-sequence.ts';
import { callSequences, callsInSequences } from './call-sequences.ts';
import type { SessionClient } from './session-client.ts';
import { cancel, create, read } from './session-story.ts';
import { certainWrongAnswers, isCertain, kindOf, longestLeftAlone, wrongAnswers } from './wrong-answers.ts';

/** Maximum requests of one attempt for simplifying its sequences. */
const simplifyingRequests = 60;

/** Longest pause of a comparison. */
const longestPauseMs = 5_000;

const followUp = true;

const steps = namedSteps({
  call: create('A', probe('call of a sequence', { times: callsInSequences })),
  simplifiedCall: create('A', reduction('call of a simplified sequence')),
  otherCreate: create('B', control('creates another session first', { followUp })),
  comparisonCreate: create('A', control('creates a session for comparison', { followUp })),
  comparisonRead: read('A', control('reads the session for comparison after a pause', { followUp })),
  comparisonCancel: cancel('A', control('cancels the session for comparison', { followUp })),
});

/** Steps of a probe that sends call sequences; the labels of calls follow from the sequences. */
export const sequenceSteps: Steps = steps;

/** The sequence that shows a violation: a retry sends no other. */
const violatingSequences = new WeakMap<Exchange, CallSequence>();

/** What is known of an attempt. */
interface Attempt {
  /** Grows with every call. */
  readonly exchanges: readonly Exchange[];
  readonly operation: Operation;
}

/** Sends the sequences for an operation, or those that earlier attempts answered wrongly, and what their responses call for. */
export async function probeSequences(
  sessions: SessionClient,
  client: CaseClient,
  operation: Operation,
): Promise<void> {
  const evidence = { exchanges: client.exchanges, operation };
  const earlier = earlierSequences(client);
  try {
    for (const sequence of earlier ?? callSequences(client, operation)) await send(sessions, sequence);
    // Sessions of other cases may have kept a target from completing a sequence.
    if (earlier !== undefined && wrongAnswers(evidence).length === 0)
      for (const sequence of earlier) await send(sessions, sequence);
    await compareDoubtful(sessions, evidence);
    if (earlier === undefined) await simplifySequences(sessions, client, evidence);
  } finally {
    for (const { exchange, sequence } of wrongAnswers(evidence)) violatingSequences.set(exchange, sequence);
  }
}

/** Sends a sequence; the row of each exchange is its call. */
export async function send(
  sessions: SessionClient,
  sequence: CallSequence,
  step: 'call' | 'simplifiedCall' = 'call',
): Promise<void> {
  await sessions.play(
    sequence.map((call) => ({
      ...steps[step],
      label: labelOfCall(call),
      row: call,
      call,
      endAgain: true,
      evenIfSame: true,
    })),
  );
  await sessions.cancelOpen();
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
async function compareDoubtful(sessions: SessionClient, evidence: Attempt): Promise<void> {
  const doubtful = wrongAnswers(evidence).filter(({ mayHaveOtherCauses }) => mayHaveOtherCauses);
  if (doubtful.length === 0) return;
  const { otherCreate, comparisonCreate, comparisonRead, comparisonCancel } = steps;
  const pauseMs = Math.min(1.5 * Math.max(...doubtful.map(({ age }) => age)) + 100, longestPauseMs);
  const story = [comparisonCreate, { ...comparisonRead, pauseMs: () => pauseMs }, comparisonCancel];
  // The last cancel of a sequence may harm the session that is created next.
  for (const before of [[], [otherCreate]]) {
    await sessions.play([...before, ...story]);
    await sessions.cancelOpen();
    if (longestLeftAlone(evidence.exchanges) !== undefined) return;
  }
}

/** Removes calls from the sequences that were answered wrongly, one for each kind of wrong answer. */
async function simplifySequences(
  sessions: SessionClient,
  client: CaseClient,
  evidence: Attempt,
): Promise<void> {
  const { exchanges } = evidence;
  const most = exchanges.length + simplifyingRequests;
  for (const wrong of certainWrongAnswers(evidence)) {
    await client.smallest(wrong.sequence, {
      smaller: simplerSequences,
      keyOf: describeSequence,
      budget: simplifyingRequests,
      stillFails: async (simpler) => {
        const before = exchanges.length;
        if (before + simpler.length > most) return false;
        await send(sessions, simpler, 'simplifiedCall');
        return wrongAnswers(evidence).some(
          (one) =>
            exchanges.indexOf(one.exchange) >= before &&
            kindOf(one) === kindOf(wrong) &&
            isCertain(one, exchanges),
        );
      },
    });
  }
}
