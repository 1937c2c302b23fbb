import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** What is wrong with a call; two defects of one factor exclude each other. */
export interface Defect {
  readonly id: string;
  readonly what: string;
  /** `credential`, `body` or the name of a path parameter. */
  readonly factor: string;
  /** The class of its value, for `exclude`. */
  readonly class?: string;
}

/** A call with two defects, each of which alone must be refused. */
export interface DefectPair extends Planned {
  readonly first: Defect;
  readonly second: Defect;
}

/** What the defects of an operation are made from. */
export interface DefectSources {
  readonly keys: Pick<KeyRing, 'none' | 'unscoped' | 'invalid'>;
  /** Known path values; a placeholder is as good, as a body or key is refused without them. */
  readonly values: Readonly<Record<string, string>>;
  readonly random: () => number;
}

/**
 * Pairs of defects that the operation can have: interactions of two find most of what interactions find. Of high weight are,
 * at a write, what reads do not show as well, and at a read, those with one kind of key.
 */
export function pairsOfDefects(operation: Operation): readonly DefectPair[] {
  const isTelling = tellingPairs(operation);
  const isReadable = (...pair: readonly Defect[]): boolean =>
    pair.every(({ class: name }) => name === undefined);
  const defects = defectsOf(operation);
  return defects.flatMap((first, at) =>
    defects
      .slice(at + 1)
      .filter((second) => second.factor !== first.factor && mayMeet(first, second))
      .map(
        (second) =>
          ({
            first,
            second,
            weight: isReadable(first, second) && isTelling(first, second) ? 'high' : 'medium',
          }) as const,
      ),
  );
}

/** Servers refuse an unreadable path before anybody reads a body, and one such path value says as much as two. */
function mayMeet(...pair: readonly [Defect, Defect]): boolean {
  const unreadable = pair.filter(({ class: name }) => name !== undefined).length;
  return unreadable === 0 || (unreadable === 1 && pair.every(({ factor }) => factor !== 'body'));
}

function tellingPairs(operation: Operation): (first: Defect, second: Defect) => boolean {
  const { pathParameters, scope } = operation;
  const key = scope === undefined ? 'invalid' : 'unscoped';
  if (isSafe(operation)) return ({ factor, id }) => factor !== 'credential' || id === key;
  if (pathParameters.length === 0)
    return (first, second) => first.id === 'invalid' && second.id === 'malformed';
  return (first, second) =>
    pathParameters.includes(first.factor)
      ? pathParameters.includes(second.factor) || second.id === 'malformed'
      : first.id === 'unscoped' && pathParameters.includes(second.factor);
}

function defectsOf({ auth, scope, requestSchema, pathParameters }: Operation): readonly Defect[] {
  const credentials = [
    { id: 'none', what: 'no key' },
    { id: 'invalid', what: 'an invalid key' },
    ...(scope === undefined ? [] : [{ id: 'unscoped', what: 'a key without the scope' }]),
  ];
  const bodies = [
    { id: 'none', what: 'no body' },
    { id: 'malformed', what: 'a malformed body' },
  ];
  return [
    ...(auth === 'none' ? [] : credentials).map((one) => ({ ...one, factor: 'credential' })),
    ...pathParameters.map((name) => ({ id: 'unknown', what: `an unknown ${name}`, factor: name })),
    ...pathParameters.map((name) => ({
      id: 'unreadable',
      what: `a ${name} that is not UTF-8`,
      factor: name,
      class: 'not-utf-8',
    })),
    ...(requestSchema === undefined ? [] : bodies).map((one) => ({ ...one, factor: 'body' })),
  ];
}

/** The call with both defects; undefined where the key that it takes is not known. */
export function defectiveCall(
  { first, second }: DefectPair,
  sources: DefectSources,
): CallChanges | undefined {
  const changes = [first, second].map((defect) => changesOf(defect, sources));
  const [one, other] = changes;
  if (one === undefined || other === undefined) return undefined;
  return {
    ...one,
    ...other,
    label: `${first.what} and ${second.what}`,
    row: { [first.factor]: first.id, [second.factor]: second.id },
    parameters: { ...sources.values, ...one.parameters, ...other.parameters },
    rawParameters: { ...one.rawParameters, ...other.rawParameters },
  };
}

function changesOf({ id, factor }: Defect, { keys, values, random }: DefectSources): CallChanges | undefined {
  if (factor === 'credential') {
    const { none, unscoped, invalid } = keys;
    const credential = { none, unscoped, invalid: invalid[0] }[id];
    return credential && { credential };
  }
  if (factor === 'body')
    return {
      body: id === 'none' ? 'none' : { bytes: Buffer.from('{"a":'), contentType: 'application/json' },
    };
  if (id === 'unreadable') return { rawParameters: { [factor]: 'a%FF%C0%AFb%80' } };
  return { parameters: { [factor]: unknownLike(values[factor] ?? 'conformance', random) } };
}
