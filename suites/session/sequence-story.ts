import type { CaseClient } from '../../harness/calls/case-client.ts';
import { namedSteps, probe, reduction, type Steps } from '../../harness/checks/step.ts';
import { Draw } from '../../harness/fuzzing/draw.ts';
import type { Planned, Weight } from '../../harness/sampling/profile.ts';
import { type Count, chosen } from '../../harness/sampling/step-plan.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import {
  type CallSequence,
  describeSequence,
  labelOfCall,
  normalizeSequence,
  parseSequence,
  type SequenceCall,
  sequenceOf,
  simplerSequences,
  wrongKinds,
} from './call-sequence.ts';
import { compareDoubtful, doubtAbout, untouchedSteps } from './comparison.ts';
import { certainContradictions, kindOf, sequenceContradictions } from './sequence-contradictions.ts';
import type { SessionClient } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { create } from './session-story.ts';

/** Sequences, one a line, for operations of a role. */
interface Sequences extends Planned {
  readonly role: OperationRole;
  readonly calls: string;
  /** Random sequences besides, per requested random input. */
  readonly random?: number;
}

const joined = (role: OperationRole, calls: string): Sequences => ({ role, joined: 'all', calls });
const apart = (role: OperationRole, random: number, calls: string): Sequences => ({
  role,
  weight: 'medium',
  random,
  calls,
});

/** A quick run joins several sequences; the others begin with the simplest. */
const sequences: readonly Sequences[] = [
  joined(
    'ends-session',
    'create A, create B, read B, cancel B, cancel B, cancel B, cancel B without a key, cancel A',
  ),
  apart(
    'ends-session',
    2 / 8,
    `create A, read A, cancel A, cancel A, cancel A, read A
    create A, cancel A without a key, cancel A, cancel A with an unknown key, read A, cancel A
    create A, read A, read A, read A, cancel A with a key without the scope, cancel A
    create A, read A without a key, cancel A
    create A, create B, cancel B, cancel A, cancel B
    create A, cancel A, create B, cancel A, cancel B
    create A, create B, cancel A with an unknown key, cancel B, cancel A
    create A, cancel A, cancel A without a key, cancel A with a key without the scope, cancel A, read A
    create A, create B, create C, cancel B, cancel C, cancel A`,
  ),
  joined(
    'reads-session',
    'create A, cancel A, create B, read A, read B, cancel B, read B, cancel B, read B, read B without a key, read B with an unknown key, read B with a key without the scope',
  ),
  apart(
    'reads-session',
    1 / 8,
    `create A, read A, cancel A, read A, cancel A, cancel A, read A, read A
    create A, cancel A without a key, read A, create B, cancel A, read B, read A, cancel B
    create A, cancel A, create B, read A, read B, cancel B, read B, read A
    create A, cancel A, read A without a key, read A with an unknown key, read A with a key without the scope`,
  ),
  joined('creates-session', 'create A, cancel A, create B'),
  apart(
    'creates-session',
    1 / 8,
    `create A, create B, cancel A, create C, cancel C, cancel B
    create A, cancel A, cancel A, cancel A, create B, cancel B`,
  ),
];

/** Calls in a random sequence, excluding the creates and the final cancels of its sessions. */
const [fewest, most] = [3, 6];

/** Calls in the longest sequence. */
const longest = most + 6;

function anySequence(draw: Draw): CallSequence {
  const calls = draw.list(fewest, most, (): SequenceCall => {
    const call = {
      act: draw.of(['read', 'cancel', 'cancel'] as const),
      session: draw.of(['A', 'A', 'B', 'C']),
    };
    return draw.whole(1, 3) === 1 ? call : { ...call, credential: draw.of(wrongKinds) };
  });
  return complete(calls, draw.whole(0, 1) === 1);
}

/** The sequences for an operation: the same for the same seed. */
function callSequences(client: CaseClient, operation: Operation): readonly CallSequence[] {
  const draw = new Draw(client.random('orders'));
  const all = client.chosen(sequencesFor(operation)).flatMap((one) => {
    const random = Array.from({ length: randomOnes(one, client.fuzzRuns) }, () => anySequence(draw));
    return [...fixedOnes(one), ...random];
  });
  if (client.keys.unscoped !== undefined) return all;
  const known = (one: SequenceCall): SequenceCall =>
    one.credential === 'unscoped' ? { ...one, credential: 'invalid' } : one;
  return all.map((calls) => calls.map(known));
}

/** The number of calls in the sequences for an operation. */
const callsInSequences: Count = (operation, fuzzRuns, profile) => {
  const all = chosen(sequencesFor(operation), profile);
  const fixed = all.flatMap(fixedOnes).flat().length;
  return all.reduce((sum, one) => sum + randomOnes(one, fuzzRuns) * longest, fixed);
};

/** The greatest weight of the sequences for an operation. */
export function weightOfSequences(operation: Operation): Weight {
  return sequencesFor(operation).some(({ weight }) => weight === undefined) ? 'high' : 'medium';
}

function sequencesFor({ role }: Operation): readonly Sequences[] {
  return sequences.filter((one) => one.role === role);
}

function fixedOnes({ calls }: Sequences): readonly CallSequence[] {
  return calls.split(/\n\s*/).map(parseSequence);
}

function randomOnes({ random = 0 }: Sequences, fuzzRuns: number): number {
  return Math.ceil(fuzzRuns * random);
}

/** Creates each session at its first use, or all at the beginning, and finally cancels the open ones. */
function complete(calls: readonly SequenceCall[], atOnce: boolean): CallSequence {
  const create = ({ session }: SequenceCall): SequenceCall => ({ act: 'create', session });
  const isCancelled = ({ session }: SequenceCall): boolean =>
    calls.some((one) => one.session === session && one.act === 'cancel' && !one.credential);
  const open = new Set(calls.filter((one) => !isCancelled(one)).map(({ session }) => session));
  return normalizeSequence([
    ...(atOnce ? calls.map(create) : []),
    ...calls.flatMap((one) => [create(one), one]),
    ...[...open].map((session): SequenceCall => ({ act: 'cancel', session })),
  ]);
}

/** Maximum requests of one attempt for simplifying its sequences. */
const simplifyingRequests = 60;

const steps = namedSteps({
  call: create('A', probe('call of a sequence', { times: callsInSequences })),
  simplifiedCall: create('A', reduction('call of a simplified sequence')),
});

/** Steps of a probe that sends call sequences; the labels of calls follow from the sequences. */
export const sequenceSteps: Steps = { ...steps, ...untouchedSteps };

/** Sends the sequences for an operation, or those that earlier attempts answered wrongly, and what their responses call for. */
export async function probeSequences(
  sessions: SessionClient,
  client: CaseClient,
  operation: Operation,
): Promise<void> {
  const earlier = [...new Set(client.earlier.flatMap((one) => sequenceOf(one) ?? []))].map(parseSequence);
  const isRetry = earlier.length > 0;
  for (const sequence of isRetry ? earlier : callSequences(client, operation)) await send(sessions, sequence);
  // Sessions of other cases may have kept a target from completing a sequence.
  if (isRetry && sequenceContradictions(sessions.evidence).length === 0)
    for (const sequence of earlier) await send(sessions, sequence);
  await compareDoubtful(sessions, sequenceContradictions(sessions.evidence), 'nothing');
  if (!isRetry) await simplifySequences(sessions, client, operation);
}

/** Sends a sequence; the row of each exchange holds the calls up to its own. */
export async function send(
  sessions: SessionClient,
  sequence: CallSequence,
  step: 'call' | 'simplifiedCall' = 'call',
): Promise<void> {
  await sessions.play(
    sequence.map((call, at) => ({
      ...steps[step],
      label: labelOfCall(call),
      row: { sequence: describeSequence(sequence.slice(0, at + 1)) },
      call,
      mayBeShared: true,
    })),
  );
  await sessions.cancelOpen();
}

/** Removes calls from the sequences that were answered wrongly, one for each kind of contradiction. */
async function simplifySequences(
  sessions: SessionClient,
  client: CaseClient,
  operation: Operation,
): Promise<void> {
  const { exchanges } = client;
  const most = exchanges.length + simplifyingRequests;
  for (const wrong of certainContradictions(sessions.evidence, operation.id)) {
    await client.smallest(parseSequence(wrong.sequence), {
      smaller: simplerSequences,
      keyOf: describeSequence,
      budget: simplifyingRequests,
      stillFails: async (simpler) => {
        const before = exchanges.length;
        if (before + simpler.length > most) return false;
        await send(sessions, simpler, 'simplifiedCall');
        const sent = new SessionEvidence({ exchanges: exchanges.slice(before), operation });
        return sequenceContradictions(sent).some(
          (one) => kindOf(one) === kindOf(wrong) && doubtAbout(sessions.evidence, one) === undefined,
        );
      },
    });
  }
}
