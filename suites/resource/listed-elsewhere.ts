import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { listingOf, mayBeListed, placeOf, shownAt, withoutNames } from '../surface/listed-resources.ts';

/** Other stores of which one product is looked for below the known store. */
export const mostStores = 4;

/** A resource of a listing, and the store that it shows as its own. */
export interface ListedPair {
  readonly store: string;
  readonly item: string;
}

/** Listings that one case asks for. */
export function listingsAsked({ pathParameters: { length }, path }: Operation): number {
  return path.endsWith('}') ? 1 + (length > 1 ? 2 : 0) : 0;
}

/** What a listing beside that of an operation's resources lists, such as categories: by a member of the same name as theirs. */
export async function listedBeside(
  client: CaseClient,
  step: Step,
  operation: Operation,
  valid: Exchange,
): Promise<string | undefined> {
  const [name = ''] = operation.pathParameters.slice(-1);
  const pointer = shownAt(valid, name);
  const listing = mayBeListed(operation) ? listingBeside(operation, client.operations) : undefined;
  if (pointer === undefined || listing === undefined) return undefined;
  const member = pointer.slice(pointer.lastIndexOf('/'));
  const listed = await client.call(step, { operation: listing, parameters: placeOf(listing, valid) });
  const names = [...leavesIn(listed)].flatMap(([at, leaf]) => (at.endsWith(member) ? String(leaf) : []));
  return names.find((one) => isPlainSlug(one) && !Object.values(sentValues(valid)).includes(one));
}

/** A listing in the same place as that of an operation's resources, of what no operation reads by its name. */
function listingBeside(operation: Operation, operations: readonly Operation[]): Operation | undefined {
  const collection = withoutNames(operation.path).replace(/\/\{\}$/, '');
  const place = collection.slice(0, collection.lastIndexOf('/') + 1);
  return operations.find((one) => {
    const path = withoutNames(one.path);
    const isBeside =
      path.startsWith(place) && path !== collection && /^[\w-]+$/.test(path.slice(place.length));
    return isBeside && isSafe(one) && !operations.some((read) => withoutNames(read.path) === `${path}/{}`);
  });
}

/** One product of each of some other stores, which the known store does not list, where it lists nothing but its own. */
export async function listedByOtherStores(
  client: CaseClient,
  step: Step,
  operation: Operation,
  valid: Exchange,
): Promise<readonly ListedPair[]> {
  const [storeName = '', name = ''] = operation.pathParameters;
  const { [storeName]: store = '', [name]: item = '' } = sentValues(valid);
  const own = listingOf(operation, client.operations);
  const kind = operation.parameterKinds?.[name];
  const all = client.operations.find(
    (one) =>
      one.auth === operation.auth &&
      one.pathParameters.length === 0 &&
      listsKind(kind, one, client.operations),
  );
  if (own === undefined || all === undefined) return [];
  const known = { store, item };
  const mine = pairsIn(await client.call(step, { operation: own, parameters: placeOf(own, valid) }), known);
  if (mine.length === 0 || mine.some((one) => one.store !== store)) return [];
  const listed = pairsIn(await client.call(step, { operation: all }), known);
  const others = listed.filter((one) => one.store !== store && isPlainSlug(one.item));
  const ofEach = others.filter((one, at) => others.findIndex((other) => other.store === one.store) === at);
  return ofEach.filter((one) => !mine.some((other) => other.item === one.item)).slice(0, mostStores);
}

function listsKind(kind: string | undefined, listing: Operation, operations: readonly Operation[]): boolean {
  return operations.some(
    ({ path, pathParameters: [name = ''], parameterKinds }) =>
      path === `${listing.path}/{${name}}` && parameterKinds?.[name] === kind && kind !== undefined,
  );
}

/** The resources of a listing with their stores, by the members in which it shows both of a known one. */
export function pairsIn(listing: Exchange, known: ListedPair): readonly ListedPair[] {
  const items = new Map<string, Map<string, string>>();
  for (const [pointer, leaf] of leavesIn(listing)) {
    const [, item, member] = /^(\D*\/\d+)(\/.+)$/.exec(pointer) ?? [];
    if (item === undefined || member === undefined) continue;
    items.set(item, (items.get(item) ?? new Map<string, string>()).set(member, String(leaf)));
  }
  const model = [...items.values()].find((one) =>
    [known.store, known.item].every((value) => [...one.values()].includes(value)),
  );
  if (model === undefined) return [];
  const memberOf = (value: string): string => [...model].find(([, leaf]) => leaf === value)?.[0] ?? '';
  const [store, item] = [memberOf(known.store), memberOf(known.item)];
  return [...items.values()].flatMap((one) => {
    const pair = { store: one.get(store), item: one.get(item) };
    return pair.store !== undefined && pair.item !== undefined
      ? [{ store: pair.store, item: pair.item }]
      : [];
  });
}

function leavesIn(exchange: Exchange): ReturnType<typeof leavesOf> {
  return leavesOf(isOk(exchange) ? parseBody(exchange.response?.body) : undefined);
}
