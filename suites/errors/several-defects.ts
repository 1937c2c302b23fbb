import type { Row } from '../../harness/model/exchange.ts';
import type { Profile } from '../../harness/profile.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential, KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

/** A call with several defects, each of which alone must be refused. */
export interface DefectiveCall {
  /** The defects, such as `no key and an unknown sessionId`. */
  readonly label: string;
  readonly row: Row;
  readonly changes: CallChanges;
}

interface Defect {
  readonly id: string;
  readonly what: string;
  /** What it changes; two defects of one factor exclude each other. */
  readonly factor: 'credential' | 'body' | string;
  readonly changes: CallChanges;
}

/** What the defects of an operation are made from. */
export interface DefectSources {
  readonly keys: Pick<KeyRing, 'none' | 'unscoped'> & { readonly invalid: Credential | undefined };
  /** Known path values; a placeholder is as good, as a body or key is refused without them. */
  readonly values: Readonly<Record<string, string>>;
  readonly random: () => number;
}

/**
 * Pairs of defects that the operation can have: interactions of two find most of what interactions find. A quick run leaves
 * out what reads show as well: of an operation with path values, all but an unknown one with another, with a key without
 * the scope or with a malformed body; of an operation without, all but an invalid key with a malformed body.
 */
export function pairsOfDefects(
  operation: Operation,
  sources: DefectSources,
  profile: Profile,
): readonly DefectiveCall[] {
  const isSent = profile === 'quick' && !isSafe(operation) ? isSentInQuick(operation) : () => true;
  const defects = defectsOf(operation, sources);
  return defects.flatMap((first, at) =>
    defects
      .slice(at + 1)
      .filter((second) => second.factor !== first.factor && isSent(first, second))
      .map((second) => joined(first, second)),
  );
}

function isSentInQuick({ pathParameters }: Operation): (first: Defect, second: Defect) => boolean {
  if (pathParameters.length === 0)
    return (first, second) => first.id === 'invalid' && second.id === 'malformed';
  return (first, second) =>
    pathParameters.includes(first.factor)
      ? pathParameters.includes(second.factor) || second.id === 'malformed'
      : first.id === 'unscoped' && pathParameters.includes(second.factor);
}

/** The number of pairs where all keys are known. */
export function numberOfPairs(operation: Operation, profile: Profile = 'standard'): number {
  const ofScope = operation.scope === undefined ? 0 : 1;
  const credentials = operation.auth === 'none' ? 0 : 2 + ofScope;
  const bodies = operation.requestSchema === undefined ? 0 : 2;
  const values = operation.pathParameters.length;
  const ofValues = (values * (values - 1)) / 2;
  if (profile !== 'quick' || isSafe(operation))
    return credentials * bodies + (credentials + bodies) * values + ofValues;
  return values === 0
    ? Math.min(1, credentials * bodies)
    : (ofScope + Math.min(1, bodies)) * values + ofValues;
}

function defectsOf(
  { auth, scope, requestSchema, pathParameters }: Operation,
  { keys, values, random }: DefectSources,
): readonly Defect[] {
  const credentials = [
    { id: 'none', what: 'no key', credential: keys.none },
    ...(keys.invalid === undefined
      ? []
      : [{ id: 'invalid', what: 'an invalid key', credential: keys.invalid }]),
    ...(scope === undefined || keys.unscoped === undefined
      ? []
      : [{ id: 'unscoped', what: 'a key without the scope', credential: keys.unscoped }]),
  ];
  const malformed = { bytes: Buffer.from('{"a":'), contentType: 'application/json' };
  const bodies = [
    { id: 'none', what: 'no body', body: 'none' as const },
    { id: 'malformed', what: 'a malformed body', body: malformed },
  ];
  return [
    ...(auth === 'none' ? [] : credentials).map(({ credential, ...rest }) => ({
      ...rest,
      factor: 'credential',
      changes: { credential },
    })),
    ...pathParameters.map((name) => ({
      id: 'unknown',
      what: `an unknown ${name}`,
      factor: name,
      changes: { parameters: { [name]: unknownLike(values[name] ?? 'conformance', random) } },
    })),
    ...(requestSchema === undefined ? [] : bodies).map(({ body, ...rest }) => ({
      ...rest,
      factor: 'body',
      changes: { body },
    })),
  ];
}

function joined(first: Defect, second: Defect): DefectiveCall {
  return {
    label: `${first.what} and ${second.what}`,
    row: { [first.factor]: first.id, [second.factor]: second.id },
    changes: {
      ...first.changes,
      ...second.changes,
      parameters: { ...first.changes.parameters, ...second.changes.parameters },
    },
  };
}
