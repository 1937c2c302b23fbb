import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import { unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { isPlainSlug, unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { together } from '../../harness/requests/variation.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { synonymsOf, waysElsewhere } from './elsewhere.ts';
import { listedElsewhere } from './listed-elsewhere.ts';
import { commonNearMisses, nearMisses } from './near-misses.ts';
import { isExcludedValue } from './path-values.ts';

/** A value of a path parameter that names nothing. */
export interface WrongValue extends Planned {
  readonly step: 'unknown' | 'nearMiss' | 'divided' | 'otherKind';
  /** Its value in the row of a call. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly changes?: CallChanges;
  /** Not sent to an operation that has not found another wrong value before. */
  readonly standsIn?: true;
  /** Sent once more, after other calls with it. */
  readonly isAgain?: true;
  /** Sent twice at once. */
  readonly isTwice?: true;
}

/** Error bodies have to be readable for a client that accepts codings, prefers pages or reads another language, too. */
const asBrowser: CallChanges = {
  row: { accept: 'browser', 'accept-encoding': 'browser', 'accept-language': 'browser' },
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    'accept-language': 'fr-FR,fr;q=0.9',
  },
};

/** The wrong values of a parameter, in the order of sending; the steps ask for what else the service knows. */
export async function wrongValues(
  client: CaseClient,
  name: string,
  valid: Exchange,
  { identity, listing }: Readonly<Record<'identity' | 'listing', Step>>,
): Promise<readonly WrongValue[]> {
  const operation = client.caseOperation;
  const random = client.random(name);
  const values = sentValues(valid);
  const sent = values[name] ?? '';
  const first = unknownLike(sent, random);
  // The control of an operation that ends what it names has used up its value.
  const known = isSafe(operation) ? sent : String(await client.forRefusal(() => client.capture(name)));
  const misses = nearMisses(known, random)
    .filter(
      ({ value }) => !isExcludedValue(client, name, encodeURIComponent(value), encodeURIComponent(known)),
    )
    .map(({ what, value }) => ({ step: 'nearMiss', id: what, label: `${what}: ${name}`, value }) as const);
  // Where any good key will do, that of one without the scope.
  const { unscoped } = client.keys;
  const isForAll = operation.auth === 'api-key' && operation.scope === undefined;
  const asOther = isForAll && unscoped ? { credential: unscoped, row: { credential: 'unscoped' } } : {};
  const synonyms = synonymsOf(name, operation, client.operations);
  const body = operation.requestSchema && jsonBody(await client.forRefusal(() => client.validBody()));
  // Where the known value also stands, which names nothing there; a segment of two values may be refused.
  const besideKnown = (inPath: string): CallChanges => {
    const ways = waysElsewhere({ name, synonyms, inPath, elsewhere: known }).filter(
      ({ id }) => id !== 'segment' && !client.isLeftOut(id, 1),
    );
    const row = { ...asBrowser.row, ...asOther.row };
    // Waiting makes no unknown value known.
    const call = { ...asBrowser, ...asOther, row, propagationDelayMs: 0, ...(body && { body }) };
    return together(ways, call);
  };
  const unknown = { step: 'unknown', id: 'unknown', value: first } as const;
  return [
    // A near miss that is not found is an unknown value as well. Each operation takes another one.
    ...shareOf(misses.slice(0, commonNearMisses), client.operations.indexOf(operation), 1).flatMap(
      (miss) =>
        [
          { ...miss, changes: besideKnown(miss.value), joined: 'all' },
          { ...miss, standsIn: true, joined: 'all' },
        ] as const,
    ),
    // Soon after the valid call, which a cache may still hold.
    ...ofBoth(operation, name, values),
    { ...unknown, label: `unknown ${name}`, standsIn: true },
    // What one look-up left behind may answer the next.
    { ...unknown, label: `once more the unknown ${name}`, changes: asOther, isAgain: true, weight: 'medium' },
    // One of two calls at once may get what the other's look-up has found, and a third what two have left behind.
    // Only equal calls share what one of them has found.
    {
      ...unknown,
      label: `the unknown ${name} twice at once`,
      changes: { neutral: [] },
      isTwice: true,
      weight: 'medium',
    },
    ...misses.map(
      (miss, at) => ({ ...miss, ...(at === 0 ? { changes: asBrowser } : {}), weight: 'medium' }) as const,
    ),
    ...(await valuesOfOtherKinds(client, name)),
    ...(name === operation.pathParameters.at(-1)
      ? await client.planned(listing, () => listedElsewhere(client, listing, valid))
      : []
    ).map((one) => otherKind(...one)),
    ...(operation.takesIssued?.includes(name) === true
      ? await otherIssuedValues(client, name, identity)
      : []),
  ];
}

/** A known value of each other kind of resource, which a look-up in one table of all kinds finds. */
async function valuesOfOtherKinds(client: CaseClient, name: string): Promise<readonly WrongValue[]> {
  const own = client.caseOperation.parameterKinds?.[name];
  if (own === undefined) return [];
  const found = new Map<string, WrongValue>();
  for (const other of client.operations)
    for (const [parameter, kind] of Object.entries(other.parameterKinds ?? {})) {
      const id = `${kind}-as-${own}`;
      if (kind === own || found.has(id)) continue;
      const known = await unlessInconclusive(() => client.knownValue(parameter, other));
      // Ids of all kinds may be numbers, and a resource may have an id beside its slug.
      if (known === undefined || !isPlainSlug(known.value)) continue;
      found.set(id, otherKind(id, `a known ${kind} as ${name}`, known.value));
    }
  return [...found.values()];
}

/** Values that one case takes of those. */
export const mostIssuedElsewhere = 4;

/** Operations whose answers show ids, and what these are. */
export const showingIds = [
  ['identifies-key', 'id of the key'],
  ['consumes-login', 'id of a login'],
] as const;

/** What the service gave out for something else than a session: values of a login and ids in its return, and the id of the key. */
async function otherIssuedValues(
  client: CaseClient,
  name: string,
  identity: Step,
): Promise<readonly WrongValue[]> {
  const found: Array<readonly [what: string, value: unknown]> = [];
  const planned = showingIds.slice(0, client.times(identity));
  for (const other of planned.length > 0 ? client.values.names : [])
    if (other !== name) found.push([other, await client.capture(other).catch(() => undefined)]);
  for (const [role, what] of planned) {
    const shown = await unlessInconclusive(() => client.call(identity, { operation: client.withRole(role) }));
    if (shown === undefined || !isOk(shown)) continue;
    // A login may belong to a session.
    for (const [pointer, leaf] of leavesOf(client.lastBody ?? null))
      if (/id$/i.test(pointer) && !/session|checkout/i.test(pointer)) found.push([what, leaf]);
  }
  return found
    .flatMap(([what, value]) => {
      // Numbers may count resources of all kinds.
      const isTelling = typeof value === 'string' && /\D/.test(value);
      if (!isTelling || !client.isKept(value)) return [];
      return otherKind(`${what}-as-${name}`, `a known ${what} as ${name}`, value, { propagationDelayMs: 0 });
    })
    .slice(0, mostIssuedElsewhere);
}

/** Two values of different kinds, each in place of the other, and divided elsewhere, as a cache may join them by a hyphen. */
function ofBoth(
  { parameterKinds = {}, pathParameters }: Operation,
  name: string,
  values: Readonly<Record<string, string>>,
): readonly WrongValue[] {
  const other = pathParameters.find((one) => parameterKinds[one] !== parameterKinds[name]);
  const [value, otherValue] = [values[name], values[other ?? '']];
  if (other === undefined || value === undefined || otherValue === undefined) return [];
  if (pathParameters.indexOf(other) < pathParameters.indexOf(name)) return [];
  if (value === otherValue || ![value, otherValue].every(isPlainSlug)) return [];
  const both = (first: string, second: string): CallChanges => ({
    parameters: { ...values, [name]: first, [other]: second },
  });
  const at = value.lastIndexOf('-');
  const [start, moved] = [value.slice(0, at), `${value.slice(at + 1)}-${otherValue}`];
  const divided: WrongValue = {
    ...otherKind('its end moved', `the end of ${name} before ${other}`, start, both(start, moved)),
    step: 'divided',
  };
  return [
    otherKind('swapped', `${name} and ${other} swapped`, otherValue, both(otherValue, value)),
    ...(at < 1 ? [] : [divided]),
  ];
}

function otherKind(id: string, label: string, value: string, changes: CallChanges = {}): WrongValue {
  return { step: 'otherKind', id, label, value, changes, weight: 'medium' };
}
