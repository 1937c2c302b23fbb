import { smallerSequences } from '../../harness/fuzzing/smaller-sequences.ts';

const acts = ['create', 'read', 'cancel'] as const;

/** What is wrong with the credentials of a call, as its label says. */
export const wrongCredentials = {
  none: 'without a key',
  invalid: 'with an unknown key',
  unscoped: 'with a key without the scope',
} as const;

/** A kind of credentials that every target must refuse. */
export type WrongCredential = keyof typeof wrongCredentials;

/** One call in a sequence. */
export interface SequenceCall {
  readonly act: (typeof acts)[number];
  /** A letter that stands for the session, assigned in the order of the creates. */
  readonly session: string;
  /** Absent for the valid key. */
  readonly wrong?: WrongCredential;
}

/** Calls on sessions that the sequence creates; it begins with a create of session A. */
export type CallSequence = readonly SequenceCall[];

const letters = ['A', 'B', 'C'] as const;

/** The label of a call, such as `cancel B without a key`. */
export function labelOfCall({ act, session, wrong }: SequenceCall): string {
  return `${act} ${session}${wrong === undefined ? '' : ` ${wrongCredentials[wrong]}`}`;
}

/** The labels of all calls, separated by commas. */
export function describeSequence(sequence: CallSequence): string {
  return sequence.map(labelOfCall).join(', ');
}

/** Parses the label of a call; undefined for other labels. */
export function parseCall(label: string): SequenceCall | undefined {
  const [, verb, session, words] = /^([a-z]+) ([A-C])(?: (.+))?$/.exec(label) ?? [];
  const act = acts.find((one) => one === verb);
  if (act === undefined || session === undefined) return undefined;
  const wrong = Object.entries(wrongCredentials).find(([, text]) => text === words)?.[0];
  if (words !== undefined && wrong === undefined) return undefined;
  return { act, session, ...(wrong === undefined ? {} : { wrong: wrong as WrongCredential }) };
}

/** Parses a text such as `create A, cancel A`. */
export function parseSequence(text: string): CallSequence {
  return text.split(', ').map((label) => {
    const call = parseCall(label);
    if (call === undefined) throw new Error(`${label} is not a call`);
    return call;
  });
}

/** Creates each session once and before its first use, and renames sessions so that no letter is skipped. */
export function normalizeSequence(sequence: CallSequence): CallSequence {
  const names = new Map<string, string>();
  return sequence.flatMap((call) => {
    const isCreate = call.act === 'create';
    if (isCreate === names.has(call.session)) return [];
    if (isCreate) names.set(call.session, letters[names.size] ?? call.session);
    return [{ ...call, session: names.get(call.session) ?? call.session }];
  });
}

/** Sequences with fewer or simpler calls that end in a similar call, the shortest first. */
export function* simplerSequences(sequence: CallSequence): Generator<CallSequence> {
  const last = sequence.at(-1);
  for (const calls of smallerSequences(sequence, simplestCall)) {
    const simpler = normalizeSequence(calls);
    const end = simpler.at(-1);
    const isSimilar = end?.act === last?.act && (end?.wrong === undefined) === (last?.wrong === undefined);
    if (simpler.length > 0 && isSimilar) yield simpler;
  }
}

function simplestCall(call: SequenceCall): SequenceCall {
  return call.wrong === undefined || call.wrong === 'none' ? call : { ...call, wrong: 'none' };
}
