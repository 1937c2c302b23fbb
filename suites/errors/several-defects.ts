import type { Profile } from '../../harness/profile.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential, KeyRing } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

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
  const isSent = profile === 'quick' && !isSafe(operation) ? isSentInQuick(operation, sources) : () => true;
  const defects = defectsOf(operation, sources);
  return defects.flatMap((first, at) =>
    defects
      .slice(at + 1)
      .filter((second) => second.aspect !== first.aspect && isSent(first, second))
      .map((second) => joined(first, second)),
  );
}

function isSentInQuick(
  { pathParameters }: Operation,
  { keys }: DefectSources,
): (first: Defect, second: Defect) => boolean {
  if (pathParameters.length === 0)
    return (first, second) => first.changes.credential === keys.invalid && second.what === malformedBody;
  return (first, second) =>
    pathParameters.includes(first.aspect)
      ? pathParameters.includes(second.aspect) || second.what === malformedBody
      : first.changes.credential === keys.unscoped && pathParameters.includes(second.aspect);
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

/** Whether a quick run sends the operation an invalid key with another defect. */
export function comesWithAnotherDefect(operation: Operation): boolean {
  return numberOfPairs(operation) > 0 && isSafe(operation) === operation.pathParameters.length > 0;
}

const malformedBody = 'a malformed body';

function defectsOf(
  { auth, scope, requestSchema, pathParameters }: Operation,
  { keys, values, random }: DefectSources,
): readonly Defect[] {
  const credentials = [
    { what: 'no key', credential: keys.none },
    ...(keys.invalid === undefined ? [] : [{ what: 'an invalid key', credential: keys.invalid }]),
    ...(scope === undefined || keys.unscoped === undefined
      ? []
      : [{ what: 'a key without the scope', credential: keys.unscoped }]),
  ];
  const malformed = { bytes: Buffer.from('{"a":'), contentType: 'application/json' };
  const bodies = [
    { what: 'no body', body: 'none' as const },
    { what: malformedBody, body: malformed },
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
