import fc from 'fast-check';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Count, StepPlan } from '../../harness/sampling/step-plan.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import {
  type CallSequence,
  normalizeSequence,
  parseSequence,
  type SequenceCall,
  wrongKinds,
} from './call-sequence.ts';

interface Sequences {
  /** Each joins several of the others, for a quick run. */
  readonly quick: readonly CallSequence[];
  /** Sent with every seed, the simplest first. */
  readonly fixed: readonly CallSequence[];
  /** Random sequences per requested random input. */
  readonly random: number;
}

/** By the role of the operation whose responses the sequences test. */
const sequencesByRole: Readonly<Partial<Record<OperationRole, Sequences>>> = {
  'ends-session': {
    quick: ['create A, create B, read B, cancel B, cancel B, cancel B, cancel B without a key, cancel A'].map(
      parseSequence,
    ),
    fixed: [
      'create A, read A, cancel A, cancel A, cancel A, read A',
      'create A, cancel A without a key, cancel A, cancel A with an unknown key, read A, cancel A',
      'create A, read A, read A, read A, cancel A with a key without the scope, cancel A',
      'create A, read A without a key, cancel A',
      'create A, create B, cancel B, cancel A, cancel B',
      'create A, cancel A, create B, cancel A, cancel B',
      'create A, create B, cancel A with an unknown key, cancel B, cancel A',
      'create A, cancel A, cancel A without a key, cancel A with a key without the scope, cancel A, read A',
      'create A, create B, create C, cancel B, cancel C, cancel A',
    ].map(parseSequence),
    random: 2 / 8,
  },
  'reads-session': {
    quick: [
      'create A, cancel A, create B, read A, read B, cancel B, read B, cancel B, read B, read B without a key, read B with an unknown key, read B with a key without the scope',
    ].map(parseSequence),
    fixed: [
      'create A, read A, cancel A, read A, cancel A, cancel A, read A, read A',
      'create A, cancel A without a key, read A, create B, cancel A, read B, read A, cancel B',
      'create A, cancel A, create B, read A, read B, cancel B, read B',
      'create A, cancel A, read A without a key, read A with an unknown key, read A with a key without the scope',
    ].map(parseSequence),
    random: 1 / 8,
  },
  'creates-session': {
    quick: [],
    fixed: [
      'create A, create B, cancel A, create C, cancel C, cancel B',
      'create A, cancel A, cancel A, cancel A, create B, cancel B',
    ].map(parseSequence),
    random: 1 / 8,
  },
};

/** Calls in a random sequence, excluding the creates and the final cancels of its sessions. */
const length = { minLength: 3, maxLength: 6, size: 'max' } as const;

const wrong = fc.constantFrom(...wrongKinds);

const call: fc.Arbitrary<SequenceCall> = fc
  .record({
    session: fc.constantFrom('A', 'A', 'B', 'C'),
    act: fc.constantFrom('read' as const, 'cancel' as const, 'cancel' as const),
    refused: fc.option(wrong, { freq: 2, nil: undefined }),
  })
  .map(({ session, act, refused }) => ({
    session,
    act,
    ...(refused !== undefined ? { credential: refused } : {}),
  }));

const anySequence: fc.Arbitrary<CallSequence> = fc
  .tuple(fc.array(call, length), fc.boolean())
  .map(([calls, atOnce]) => complete(calls, atOnce));

/** The sequences for an operation: the same for the same seed. */
export function callSequences(client: CaseClient, operation: Operation): readonly CallSequence[] {
  const { quick, fixed, random } = sequencesFor(operation);
  if (client.plans(joinedSequences)) return quick;
  const numRuns = Math.ceil(client.fuzzRuns * random);
  const seed = Math.floor(client.random('orders')() * 2 ** 31);
  return [...fixed, ...(numRuns === 0 ? [] : fc.sample(anySequence, { seed, numRuns }))];
}

const longest = length.maxLength + 6;

const joinedSequences: StepPlan = { until: 'quick' };

const callsInAll = (operation: Operation, fuzzRuns: number): number => {
  const { fixed, random } = sequencesFor(operation);
  return fixed.flat().length + Math.ceil(fuzzRuns * random) * longest;
};

/** The number of calls in the sequences for an operation. */
export const callsInSequences: Count = {
  quick: (operation) => sequencesFor(operation).quick.flat().length,
  standard: callsInAll,
  deep: callsInAll,
};

/** Whether a quick run has sequences for an operation. */
export function hasJoinedSequences(operation: Operation): boolean {
  return sequencesFor(operation).quick.length > 0;
}

function sequencesFor({ role }: Operation): Sequences {
  return (role && sequencesByRole[role]) ?? { quick: [], fixed: [], random: 0 };
}

/** Creates each session at its first use, or all at the beginning, and finally cancels the open ones. */
function complete(calls: readonly SequenceCall[], atOnce: boolean): CallSequence {
  const used = [...new Set(calls.map(({ session }) => session))];
  const creates = used.map((session): SequenceCall => ({ act: 'create', session }));
  const created = atOnce
    ? [...creates, ...calls]
    : calls.flatMap((one, at) =>
        calls.findIndex(({ session }) => session === one.session) === at
          ? [{ act: 'create' as const, session: one.session }, one]
          : [one],
      );
  const open = used.filter(
    (session) => !calls.some((one) => one.session === session && one.act === 'cancel' && !one.credential),
  );
  return normalizeSequence([
    ...created,
    ...open.map((session): SequenceCall => ({ act: 'cancel', session })),
  ]);
}
