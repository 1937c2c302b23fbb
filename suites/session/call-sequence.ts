import { smallerSequences } from '../../harness/fuzzing/smaller-sequences.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

const acts = ['create', 'read', 'cancel'] as const;

/** Credentials that every target must refuse, with what descriptions of calls say. */
const wrongCredentials = {
  none: 'without a key',
  invalid: 'with an unknown key',
  unscoped: 'with a key without the scope',
} as const;

type WrongCredential = keyof typeof wrongCredentials;

/** The kinds of credentials that every target must refuse. */
export const wrongKinds: readonly WrongCredential[] = Object.keys(wrongCredentials) as WrongCredential[];

/** One call in a sequence. */
export type SequenceCall = {
  readonly act: (typeof acts)[number];
  /** A letter that stands for the session, assigned in the order of the creates. */
  readonly session: string;
  /** Absent for the valid key. */
  readonly credential?: WrongCredential;
};

/** Calls on sessions that the sequence creates; it begins with a create of session A. */
export type CallSequence = readonly SequenceCall[];

const letters = ['A', 'B', 'C'] as const;

/** The label of a call, such as `cancel B without a key`. */
export function labelOfCall({ act, session, credential }: SequenceCall): string {
  return `${act} ${session}${credential === undefined ? '' : ` ${wrongCredentials[credential]}`}`;
}

/** The labels of all calls, separated by commas. */
export function describeSequence(sequence: CallSequence): string {
  return sequence.map(labelOfCall).join(', ');
}

/** Parses a text such as `create A, cancel A`. */
export function parseSequence(text: string): CallSequence {
  const parts = text === '' ? [] : text.split(', ');
  return parts.map((part) => {
    const [, verb, session, words] = /^([a-z]+) ([A-C])(?: (.+))?$/.exec(part) ?? [];
    const act = acts.find((one) => one === verb);
    const credential = wrongKinds.find((kind) => wrongCredentials[kind] === words);
    if (act === undefined || session === undefined || (words !== undefined && credential === undefined))
      throw new Error(`${part} is not a call`);
    return { act, session, ...(credential === undefined ? {} : { credential }) };
  });
}

/** The calls of its sequence up to and with that of an exchange; undefined where it belongs to none. */
export function sequenceOf({ row }: Exchange): string | undefined {
  const text = row?.['sequence'];
  return typeof text === 'string' ? text : undefined;
}

/** The call of a sequence that an exchange belongs to. */
export function callOf(exchange: Exchange): SequenceCall | undefined {
  return parseSequence(sequenceOf(exchange) ?? '').at(-1);
}

/** Whether a call is the first of its sequence. */
export function isFirstCall(exchange: Exchange): boolean {
  return sequenceOf(exchange)?.includes(', ') === false;
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
    const isSimilar =
      end?.act === last?.act && (end?.credential === undefined) === (last?.credential === undefined);
    if (simpler.length > 0 && isSimilar) yield simpler;
  }
}

function simplestCall(call: SequenceCall): SequenceCall {
  return call.credential === undefined || call.credential === 'none' ? call : { ...call, credential: 'none' };
}
