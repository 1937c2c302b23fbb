import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { listingOf, mayBeListed, placeOf, shownAt, withoutNames } from '../surface/listed-resources.ts';

/** Other stores of which one product each is asked for. */
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
  const listing = listingOf(operation, client.operations);
  if (listing === undefined) return [];
  const known = { store, item };
  const own = pairsIn(
    await client.call(step, { operation: listing, parameters: placeOf(listing, valid) }),
    known,
  );
  if (own.length === 0 || own.some((one) => one.store !== store)) return [];
  const others = await otherPairs(client, step, operation, known);
  return others.filter((one) => !own.some((other) => other.item === one.item));
}

/** One resource of each of some other stores, from the listing of all that is behind the same authentication as an operation. */
export async function otherPairs(
  client: CaseClient,
  step: Step,
  { auth }: Operation,
  known: ListedPair,
): Promise<readonly ListedPair[]> {
  const listing = client.operations.find(
    (one) =>
      one.auth === auth &&
      one.pathParameters.length === 0 &&
      client.operations.some(({ path, parameterKinds = {} }) =>
        Object.entries(parameterKinds).some(
          ([name, kind]) => kind === 'product' && path === `${one.path}/{${name}}`,
        ),
      ),
  );
  if (listing === undefined) return [];
  const others = pairsIn(await client.call(step, { operation: listing }), known).filter(
    ({ store, item }) => store !== known.store && isPlainSlug(item),
  );
  const isFirst = ({ store }: ListedPair, at: number): boolean =>
    others.findIndex((other) => other.store === store) === at;
  return others.filter(isFirst).slice(0, mostStores);
}

/** The resources of a listing with their stores, by the members in which it shows both of a known one. */
function pairsIn(listing: Exchange, known: ListedPair): readonly ListedPair[] {
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
