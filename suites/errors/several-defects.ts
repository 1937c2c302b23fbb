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

/**
 * Every pair of defects that the operation can have: interactions of two find most of what interactions find. A short list
 * leaves out keys that are absent or invalid, which reads have as well, and bodies with a wrong key.
 */
export function pairsOfDefects(
  operation: Operation,
  sources: DefectSources,
  isShort: boolean,
): readonly DefectiveCall[] {
  const all = defectsOf(operation, sources);
  const usual: readonly unknown[] = [sources.keys.none, ...sources.keys.invalid];
  const defects = isShort ? all.filter(({ changes }) => !usual.includes(changes.credential)) : all;
  return defects.flatMap((first, at) =>
    defects
      .slice(at + 1)
      .filter((second) => second.aspect !== first.aspect)
      .filter((second) => !isShort || [first, second].some(({ aspect }) => !sharedAspects.includes(aspect)))
      .map((second) => joined(first, second)),
  );
}

/** Aspects that are no path value. */
const sharedAspects: readonly Defect['aspect'][] = ['credential', 'body'];

/** The number of pairs where all keys are known. */
export function numberOfPairs(operation: Operation, isShort: boolean): number {
  const ofScope = operation.scope === undefined ? 0 : 1;
  const credentials = operation.auth === 'none' ? 0 : isShort ? ofScope : 2 + ofScope;
  const bodies = operation.requestSchema === undefined ? 0 : 2;
  const values = operation.pathParameters.length;
  if (isShort) return (credentials + bodies) * values + (values * (values - 1)) / 2;
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
