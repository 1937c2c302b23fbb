import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { type Variation, withKey } from '../../harness/requests/variation.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** What must be refused about a call; two defects of one factor exclude each other. */
export interface Defect extends Variation {
  /** The class of its value, for `exclude`. */
  readonly class?: string;
}

/** Two defects, each of which alone must be refused. */
export interface DefectPair extends Planned {
  readonly first: Defect;
  readonly second: Defect;
}

/** What the defects are made from; without keys, all that an operation can have. */
interface DefectSources {
  readonly keys?: Pick<KeyRing, 'none' | 'unscoped' | 'invalid'>;
  readonly random?: () => number;
}

/**
 * Pairs of defects that the operation can have: interactions of two find most of what interactions find. Of high weight are,
 * at a write, what reads do not show as well, and at a read, those with one kind of key.
 */
export function pairsOfDefects(operation: Operation, sources: DefectSources = {}): readonly DefectPair[] {
  const isTelling = tellingPairs(operation);
  const defects = defectsOf(operation, sources);
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
function defectsOf(
  { auth, scope, requestSchema, pathParameters }: Operation,
  { keys, random = () => 0 }: DefectSources,
): readonly Defect[] {
  const key = (id: 'none' | 'invalid' | 'unscoped', says: string): readonly Defect[] => {
    const credential = keys && { ...keys, invalid: keys.invalid[0] }[id];
    const isKnown = keys === undefined || credential !== undefined;
    return isKnown ? [{ factor: 'credential', id, says, change: withKey(credential) }] : [];
  };
  const body = (id: string, sent: RawBody | 'none'): Defect => ({
    ...{ factor: 'body', id, says: id === 'none' ? 'no body' : `a ${id} body` },
    change: (call) => ({ ...call, body: sent }),
  });
  const malformed = { bytes: Buffer.from('{"a":'), contentType: 'application/json' };
  const unknown = (factor: string): Defect => ({
    ...{ factor, id: 'unknown', says: `an unknown ${factor}` },
    // A placeholder is as good as a known value, as a body or key is refused without it.
    change: ({ parameters, ...call }) => ({
      ...call,
      parameters: { ...parameters, [factor]: unknownLike(parameters?.[factor] ?? 'conformance', random) },
    }),
  });
  const unreadable = (factor: string): Defect => ({
    ...{ factor, id: 'unreadable', says: `a ${factor} that is not UTF-8`, class: 'not-utf-8' },
    change: (call) => ({
      ...call,
      rawParameters: { ...call.rawParameters, [factor]: 'a%FF%C0%AFb%80' },
    }),
  });
  return [
    ...(auth === 'none' ? [] : [...key('none', 'no key'), ...key('invalid', 'an invalid key')]),
    ...(scope === undefined ? [] : key('unscoped', 'a key without the scope')),
    ...pathParameters.map(unknown),
    ...pathParameters.map(unreadable),
    ...(requestSchema === undefined ? [] : [body('none', 'none'), body('malformed', malformed)]),
  ];
}
