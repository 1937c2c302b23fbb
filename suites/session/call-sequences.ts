import { Draw } from '../../harness/fuzzing/draw.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { type Profile, type ProfileRange, profiles } from '../../harness/sampling/profile.ts';
import { type Count, chosen } from '../../harness/sampling/step-plan.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import {
  type CallSequence,
  normalizeSequence,
  parseSequence,
  type SequenceCall,
  wrongKinds,
} from './call-sequence.ts';

/** Sequences, one a line, for operations of a role. */
interface Sequences extends ProfileRange {
  readonly role: OperationRole;
  readonly calls: string;
  /** Random sequences besides, per requested random input. */
  readonly random?: number;
}

const joined = (role: OperationRole, calls: string): Sequences => ({ role, until: 'quick', calls });
const apart = (role: OperationRole, random: number, calls: string): Sequences => ({
  role,
  from: 'standard',
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
    create A, cancel A, create B, read A, read B, cancel B, read B
    create A, cancel A, read A without a key, read A with an unknown key, read A with a key without the scope`,
  ),
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
export function callSequences(client: CaseClient, operation: Operation): readonly CallSequence[] {
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

const callsIn =
  (profile: Profile) =>
  (operation: Operation, fuzzRuns: number): number => {
    const all = chosen(sequencesFor(operation), profile);
    const fixed = all.flatMap(fixedOnes).flat().length;
    return all.reduce((sum, one) => sum + randomOnes(one, fuzzRuns) * longest, fixed);
  };

/** The number of calls in the sequences for an operation. */
export const callsInSequences: Count = {
  quick: callsIn('quick'),
  standard: callsIn('standard'),
  deep: callsIn('deep'),
};

/** The least thorough profile that has sequences for an operation. */
export function sequencesFrom(operation: Operation): Profile {
  return profiles.find((profile) => chosen(sequencesFor(operation), profile).length > 0) ?? 'deep';
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
