import { jsonFault } from '../../checks/json-fault.ts';
import { bodyFormOf } from '../../evidence/identify-responder.ts';
import { generatedValues } from '../../evidence/sent-values.ts';
import { isOfCredentials } from './cached-answer.ts';
import { answerOf, isPlain, ofValidCalls, onContents, type Sighting, statusIn } from './sighting.ts';

/**
 * What a call has beyond a valid one, and may have led to its response: the names of its factors with their values, of what
 * rode along, of made-up path values, and how far its key is from a good one. Company and sequences are not part of the call.
 */
export function excessOf({ exchange, requirement, check }: Sighting): ReadonlySet<string> {
  const { row = {}, neutral = [], request, label } = exchange;
  if (isPlain(exchange)) return new Set(neutral);
  const made = generatedValues(request).map(([name]) => name);
  // One handler refuses unknown values, regardless of the parameter.
  const nameOf = (name: string): string => (made.includes(name) ? unknownValue : partChangedBy(name));
  const factors = Object.keys(row).filter((name) => !ofOtherCalls.includes(name));
  const varied = [...factors, ...neutral].map(nameOf);
  const isGoodKey = row['credential'] === undefined && request.credential.kind !== 'invalid';
  if ((ofValidCalls.test(requirement) || requirement === 'CLIENT-1') && isGoodKey) return new Set(varied);
  // A public read has no key of its own that another one could replace.
  if (requirement === 'CLIENT-1') return new Set([...varied, 'authorization']);
  // Many unusual values are also unknown values.
  const valued = requirement === 'RESOURCE-1' ? ['body'] : [...made, 'body'];
  // Some checks state their change only in the label.
  const isOwn =
    exchange.case.check === check && exchange.row === undefined && !/^(?:SESSION|LOGIN)/.test(requirement);
  const { kind } = request.credential;
  // A public read needs no key.
  const isUsualKey = kind === 'scoped' || (kind === 'none' && !isOfCredentials(requirement));
  return new Set([
    ...varied,
    ...made.map(nameOf),
    ...valued
      .filter((name) => row[name] !== undefined)
      .map((name) => `${nameOf(name)}=${[row[name]].flat().join()}`),
    ...(isOwn && isUsualKey ? [label] : []),
    ...ofKeys[kind],
  ]);
}

/** Factors of calls that came before. */
const ofOtherCalls: readonly string[] = ['sequence', 'walk', 'shared', 'earlier', 'credential'];

/** The fact that a path value was made up. */
const unknownValue = 'unknown value';

const places: ReadonlyMap<string, string> = new Map([
  ['framing', 'transfer-encoding'],
  ['name of the contract', 'query'],
  ['misplaced', 'query'],
]);

/** The part of a call that a factor changes. */
export function partChangedBy(factor: string): string {
  return places.get(factor) ?? factor;
}

/** The defect of a key: a call with a key that is no better than none gets the same response as a call without one. */
const ofKeys = {
  scoped: [],
  none: ['no key'],
  invalid: ['no key', 'invalid'],
  unscoped: ['no key', 'invalid', 'unscoped'],
};

/** The part of a response that calls with the same cause share; undefined if the finding is about the contents of the response. */
export function cameOf(one: Sighting): string | undefined {
  const { requirement, exchange } = one;
  const status = statusIn(one);
  if (onContents.test(requirement) && (requirement !== 'ERROR-2' || status < 500)) return undefined;
  const fault = status === 200 && exchange.failure === undefined ? jsonFault(exchange) : undefined;
  return `${answerOf(one)} ${bodyFormOf(exchange)} ${fault ?? ''}`;
}

/** The defect of a 200 response; the empty text for any other status, which is wrong in itself. */
export function wrongOf({ requirement, expected, exchange, deviation }: Sighting): string {
  if (exchange.response?.status !== 200 || exchange.failure !== undefined) return '';
  if (!(expected.match(/\b[1-5]\d\d\b/g) ?? ['200']).includes('200')) return 'accepted';
  return deviation ?? (jsonFault(exchange) === undefined ? requirement : 'body');
}
