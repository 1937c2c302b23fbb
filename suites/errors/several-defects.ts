import type { CallChanges, RawBody } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** A defect of a call; two defects of one factor exclude each other. */
export interface Defect {
  readonly id: string;
  readonly what: string;
  /** `credential`, `body` or the name of a path parameter. */
  readonly factor: string;
  /** The class of its value, for `exclude`. */
  readonly class?: string;
  /** The change that it makes to a call; undefined if the key that it needs is unknown. */
  readonly change: (sources: DefectSources) => CallChanges | undefined;
}

/** A call with two defects, each of which alone must be refused. */
export interface DefectPair extends Planned {
  readonly first: Defect;
  readonly second: Defect;
}

/** The values from which the defects of an operation are made. */
interface DefectSources {
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
  const defects = defectsOf(operation);
  return defects.flatMap((first, at) =>
    defects.slice(at + 1).flatMap((second): readonly DefectPair[] => {
      // Servers refuse an unreadable path before anybody reads a body, and one such path value says as much as two.
      const unreadable = [first, second].filter((one) => one.class !== undefined).length;
      const mayMeet = unreadable === 0 || (unreadable === 1 && second.factor !== 'body');
      if (second.factor === first.factor || !mayMeet) return [];
      return [{ first, second, weight: unreadable === 0 && isTelling(first, second) ? 'high' : 'medium' }];
    }),
  );
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

/** The defects in the order of their factors: keys, path parameters, bodies. */
function defectsOf({ auth, scope, requestSchema, pathParameters }: Operation): readonly Defect[] {
  const key = (id: 'none' | 'invalid' | 'unscoped', what: string): Defect => ({
    ...{ id, what, factor: 'credential' },
    change: ({ keys: { none, unscoped, invalid } }) => {
      const credential = { none, unscoped, invalid: invalid[0] }[id];
      return credential && { credential };
    },
  });
  const body = (id: string, sent: RawBody | 'none'): Defect => ({
    ...{ id, what: id === 'none' ? 'no body' : `a ${id} body`, factor: 'body' },
    change: () => ({ body: sent }),
  });
  const malformed = { bytes: Buffer.from('{"a":'), contentType: 'application/json' };
  const unknown = (factor: string): Defect => ({
    ...{ id: 'unknown', what: `an unknown ${factor}`, factor },
    change: ({ values, random }) => ({
      parameters: { [factor]: unknownLike(values[factor] ?? 'conformance', random) },
    }),
  });
  const unreadable = (factor: string): Defect => ({
    ...{ id: 'unreadable', what: `a ${factor} that is not UTF-8`, factor, class: 'not-utf-8' },
    change: () => ({ rawParameters: { [factor]: 'a%FF%C0%AFb%80' } }),
  });
  return [
    ...(auth === 'none' ? [] : [key('none', 'no key'), key('invalid', 'an invalid key')]),
    ...(scope === undefined ? [] : [key('unscoped', 'a key without the scope')]),
    ...pathParameters.map(unknown),
    ...pathParameters.map(unreadable),
    ...(requestSchema === undefined ? [] : [body('none', 'none'), body('malformed', malformed)]),
  ];
}

/** The call with both defects; undefined if the key that it needs is unknown. */
export function defectiveCall(
  { first, second }: DefectPair,
  sources: DefectSources,
): CallChanges | undefined {
  const [one, other] = [first.change(sources), second.change(sources)];
  return one && other
    ? {
        ...one,
        ...other,
        label: `${first.what} and ${second.what}`,
        row: { [first.factor]: first.id, [second.factor]: second.id },
        parameters: { ...sources.values, ...one.parameters, ...other.parameters },
        rawParameters: { ...one.rawParameters, ...other.rawParameters },
      }
    : undefined;
}
