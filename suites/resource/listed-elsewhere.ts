import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import {
  leavesIn,
  listingOf,
  mayBeListed,
  placeOf,
  shownAt,
  withoutNames,
} from '../surface/listed-resources.ts';

/** Other stores of which one product each is asked for. */
export const mostStores = 4;

/** A resource of a listing, and the store that it shows as its own. */
interface ListedPair {
  readonly store: string;
  readonly item: string;
}

/** Listings that one case asks for. */
export function listingsAsked({ pathParameters: { length }, path }: Operation): number {
  return path.endsWith('}') ? 1 + (length > 1 ? 2 : 0) : 0;
}

/** What listings show and an operation cannot find: other things than its resources, and those of other stores. */
export async function listedElsewhere(
  client: CaseClient,
  step: Step,
  valid: Exchange,
): Promise<ReadonlyArray<readonly [id: string, what: string, value: string]>> {
  if (!isOk(valid)) return [];
  const [name = ''] = client.caseOperation.pathParameters.slice(-1);
  const beside = await listedBeside(client, step, valid);
  const { others, isWhole } = await listedByOtherStores(client, step, valid);
  const id = isWhole ? ofOtherStoreAlone : ofOtherStore;
  return [
    ...beside.map((value) => ['listed-beside', `what another listing shows as ${name}`, value] as const),
    ...others.map(({ item }, at) => [`${id}${at + 1}`, `a ${name} of another store`, item] as const),
  ];
}

/** The ids of values that name a resource of another store, which that of the path may list on a later page, or does not list. */
export const ofOtherStore = 'of-store-';
export const ofOtherStoreAlone = 'of-store-alone-';

/** What a listing beside that of an operation's resources lists, such as categories: by a member of the same name as theirs. */
async function listedBeside(client: CaseClient, step: Step, valid: Exchange): Promise<readonly string[]> {
  const operation = client.caseOperation;
  const [name = ''] = operation.pathParameters.slice(-1);
  const pointer = shownAt(valid, name);
  const listing = mayBeListed(operation) ? listingBeside(operation, client.operations) : undefined;
  if (pointer === undefined || listing === undefined) return [];
  const member = pointer.slice(pointer.lastIndexOf('/'));
  const listed = await client.call(step, { operation: listing, parameters: placeOf(listing, valid) });
  const names = [...leavesIn(listed)].flatMap(([at, leaf]) => (at.endsWith(member) ? String(leaf) : []));
  const known = Object.values(sentValues(valid));
  return names.filter((one) => isPlainSlug(one) && !known.includes(one)).slice(0, 1);
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

/**
 * One product of each of some other stores, which the known store does not list, where it lists nothing but its own, and
 * whether its listing is whole: a shorter page than that of all products has no next one.
 */
async function listedByOtherStores(
  client: CaseClient,
  step: Step,
  valid: Exchange,
): Promise<{ readonly others: readonly ListedPair[]; readonly isWhole: boolean }> {
  const none = { others: [], isWhole: false };
  const operation = client.caseOperation;
  const [store, item] = operation.pathParameters.map((name) => sentValues(valid)[name]);
  const listing = listingOf(operation, client.operations);
  if (listing === undefined || store === undefined || item === undefined) return none;
  const listed = await client.call(step, { operation: listing, parameters: placeOf(listing, valid) });
  const own = pairsIn(listed, { store, item });
  if (own.length === 0 || own.some((one) => one.store !== store)) return none;
  const all = await allPairs(client, step, { store, item });
  const others = ofOthers(all, store).filter((one) => !own.some((other) => other.item === one.item));
  return { others, isWhole: own.length < all.length };
}

/** The operation that reads a product by its name alone, behind the same authentication as that of the case. */
export function productRead({ caseOperation, operations }: CaseClient): Operation | undefined {
  return operations.find(
    ({ auth, pathParameters: [name = '', ...more], parameterKinds }) =>
      auth === caseOperation.auth && more.length === 0 && parameterKinds?.[name] === 'product',
  );
}

/** The resources in the listing of all that is behind the same authentication as an operation. */
async function allPairs(client: CaseClient, step: Step, known: ListedPair): Promise<readonly ListedPair[]> {
  const read = productRead(client);
  const listing = read && listingOf(read, client.operations);
  return listing === undefined ? [] : pairsIn(await client.call(step, { operation: listing }), known);
}

/** One resource of each of some stores other than one. */
function ofOthers(all: readonly ListedPair[], store: string): readonly ListedPair[] {
  const others = all.filter((one) => one.store !== store && isPlainSlug(one.item));
  const isFirst = (one: ListedPair, at: number): boolean =>
    others.findIndex((other) => other.store === one.store) === at;
  return others.filter(isFirst).slice(0, mostStores);
}

/** One resource of each of some other stores than the known one, from the listing of all. */
export async function otherPairs(
  client: CaseClient,
  step: Step,
  known: ListedPair,
): Promise<readonly ListedPair[]> {
  return ofOthers(await allPairs(client, step, known), known.store);
}

/** The resources of a listing with their stores, by the members in which it shows both of a known one. */
function pairsIn(listing: Exchange, known: ListedPair): readonly ListedPair[] {
  const leaves = [...leavesIn(listing)].flatMap(([pointer, leaf]) => {
    const [, place, member] = /^(\D*\/\d+)(\/.+)$/.exec(pointer) ?? [];
    return place === undefined ? [] : [{ place, member, value: String(leaf) }];
  });
  const items = [...groupBy(leaves, ({ place }) => place).values()];
  const membersOf = (item: typeof leaves): ReadonlyArray<string | undefined> =>
    [known.store, known.item].map((wanted) => item.find(({ value }) => value === wanted)?.member);
  const members = items.map(membersOf).find((found) => !found.includes(undefined)) ?? [];
  return items.flatMap((one) => {
    const [store, item] = members.map((wanted) => one.find(({ member }) => member === wanted)?.value);
    return store === undefined || item === undefined ? [] : [{ store, item }];
  });
}
