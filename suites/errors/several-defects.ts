import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Operation } from '../../spec/operation.ts';

/** A call with several defects, each of which alone must be refused. */
export interface DefectiveCall {
  /** The defects, such as `no key and an unknown sessionId`. */
  readonly label: string;
  readonly changes: CallChanges;
}

interface Defect {
  readonly what: string;
  /** What it changes; two defects of one aspect exclude each other. */
  readonly aspect: 'credential' | 'body' | string;
  readonly changes: CallChanges;
}

/** What the defects of an operation are made from. */
export interface DefectSources {
  readonly keys: Pick<KeyRing, 'none' | 'invalid' | 'unscoped'>;
  /** Known path values; a placeholder is as good, as a body or key is refused without them. */
  readonly values: Readonly<Record<string, string>>;
  readonly random: () => number;
}

/** Every pair of defects that the operation can have: interactions of two find most of what interactions find. */
export function pairsOfDefects(operation: Operation, sources: DefectSources): readonly DefectiveCall[] {
  const defects = defectsOf(operation, sources);
  return defects.flatMap((first, at) =>
    defects
      .slice(at + 1)
      .filter((second) => second.aspect !== first.aspect)
      .map((second) => joined(first, second)),
  );
}

/** The number of pairs where all keys are known. */
export function numberOfPairs(operation: Operation): number {
  const credentials = operation.auth === 'none' ? 0 : operation.scope === undefined ? 2 : 3;
  const bodies = operation.requestSchema === undefined ? 0 : 2;
  const values = operation.pathParameters.length;
  return credentials * bodies + (credentials + bodies) * values + (values * (values - 1)) / 2;
}

function defectsOf(
  { auth, scope, requestSchema, pathParameters }: Operation,
  { keys, values, random }: DefectSources,
): readonly Defect[] {
  const [bad] = keys.invalid;
  const credentials = [
    { what: 'no key', credential: keys.none },
    ...(bad === undefined ? [] : [{ what: 'an invalid key', credential: bad }]),
    ...(scope === undefined || keys.unscoped === undefined
      ? []
      : [{ what: 'a key without the scope', credential: keys.unscoped }]),
  ];
  const malformed = { bytes: Buffer.from('{"a":'), contentType: 'application/json' };
  const bodies = [
    { what: 'no body', body: 'none' as const },
    { what: 'a malformed body', body: malformed },
  ];
  return [
    ...(auth === 'none' ? [] : credentials).map(({ what, credential }) => ({
      what,
      aspect: 'credential',
      changes: { credential },
    })),
    ...pathParameters.map((name) => ({
      what: `an unknown ${name}`,
      aspect: name,
      changes: { parameters: { [name]: unknownLike(values[name] ?? 'conformance', random) } },
    })),
    ...(requestSchema === undefined ? [] : bodies).map(({ what, body }) => ({
      what,
      aspect: 'body',
      changes: { body },
    })),
  ];
}

function joined(first: Defect, second: Defect): DefectiveCall {
  return {
    label: `${first.what} and ${second.what}`,
    changes: {
      ...first.changes,
      ...second.changes,
      parameters: { ...first.changes.parameters, ...second.changes.parameters },
    },
  };
}
