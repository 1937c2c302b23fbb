import { isOk, parseBody } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isSpelling } from '../resource/shows-known.ts';

/** Resources of a listing that are read: the first, the last and some between. */
export const listedResources = 5;

/** Whether an operation reads one resource that no call issued for the client, so that a listing may show it. */
export function mayBeListed(operation: Operation): boolean {
  return isSafe(operation) && operation.takesIssued === undefined && operation.path.endsWith('}');
}

/** The operation that lists what another one reads by the last parameter of its path; undefined where there is none. */
export function listingOf(operation: Operation, operations: readonly Operation[]): Operation | undefined {
  const path = withoutNames(operation.path).replace(/\/\{\}$/, '');
  return operations.find((one) => isSafe(one) && withoutNames(one.path) === path);
}

/** Values of the listing's parameters that lead to the collection of the resource that a read named. */
export function placeOf(listing: Operation, read: Exchange): Readonly<Record<string, string>> {
  const values = Object.values(sentValues(read));
  return Object.fromEntries(listing.pathParameters.map((name, at) => [name, values[at] ?? '']));
}

/** Names of members that identify a resource. A category or a brand may have the same text as its product. */
const identifies = /(?:slug|handle|key|code|sku|permalink|id)$/i;

/** Names that are used only for identifiers. */
const surelyIdentifies = /(?:slug|handle|permalink|id)$/i;
/** Values that are no plain slugs among those that are read, those of items with a shape of their own, and both. */
const mostSpecial = 2;
const mostUnlike = 2;
const mostChosen = 3;

/** Where a read shows the value that it was asked for as the identifier of the resource itself. */
export function shownAt(read: Exchange, name: string): string | undefined {
  const known = sentValues(read)[name];
  const depth = (pointer: string): number => pointer.split('/').length;
  return [...leavesIn(read)]
    .flatMap(([pointer, leaf]) => (String(leaf) === known && identifies.test(pointer) ? [pointer] : []))
    .sort((a, b) => depth(a) - depth(b))[0];
}

/** Whether a read shows, at the place of the identifier, another value than the requested one. */
export function isAnother(name: string, known: Exchange, read: Exchange): boolean {
  const shown = leavesIn(read).get(shownAt(known, name) ?? '');
  return typeof shown === 'string' && shown !== '' && !isSpelling(sentValues(read)[name] ?? '', shown);
}

/**
 * The values by which a listing names its resources, by the name of the member in which a read shows the known one; at most
 * as many as are read: some whose items are unlike the others, such as without a member, and the rest evenly spread. Empty where the listing has no such member, or one that is not unique.
 */
export function listedValues(listing: Exchange, read: Exchange, name: string): readonly string[] {
  const known = sentValues(read)[name];
  const pointer = shownAt(read, name);
  if (known === undefined || pointer === undefined) return [];
  const member = pointer.slice(pointer.lastIndexOf('/'));
  const lists = new Map<string, string[]>();
  const items = new Map<string, string>();
  const shapes = new Map<string, Set<string>>();
  for (const [at, leaf] of leavesIn(listing)) {
    const [, list, place, own = ''] = /^(\D*)(\/\d+)(\/.+)$/.exec(at) ?? [];
    if (list === undefined) continue;
    const item = `${list}${place}`;
    const kind = leaf === null ? 'null' : typeof leaf;
    shapes.set(item, (shapes.get(item) ?? new Set()).add(`${own.replaceAll(/\/\d+/g, '/#')} ${kind}`));
    if (own !== member || typeof leaf !== 'string') continue;
    lists.set(list, [...(lists.get(list) ?? []), leaf]);
    items.set(leaf, item);
  }
  // A response may recommend what belongs elsewhere: the list is the one that holds the known value.
  const [all, ...further] = [...lists.values()].filter((values) => values.includes(known));
  const unique = new Set(all);
  if (all === undefined || further.length > 0 || unique.size < all.length) return [];
  const others = [...unique].filter((value) => value !== known).sort();
  // What is no plain slug may be written for people, unless its name says that it identifies.
  const special = surelyIdentifies.test(member) ? others.filter(isSpecial) : [];
  const plain = others.filter(isPlainSlug);
  const shapeOf = (value: string): string => String([...(shapes.get(items.get(value) ?? '') ?? [])].sort());
  const chosen = [...spread(special, mostSpecial), ...unlikeOthers(plain, shapeOf)].slice(0, mostChosen);
  const rest = plain.filter((value) => !chosen.includes(value));
  return [...chosen, ...spread(rest, listedResources - chosen.length)];
}

/** Values of items whose shape fewer than half of them have, the rarest first and one of each shape. */
function unlikeOthers(values: readonly string[], shapeOf: (value: string) => string): readonly string[] {
  const rare = [...groupBy(values, shapeOf).values()].filter((alike) => 2 * alike.length < values.length);
  return rare
    .sort((one, other) => one.length - other.length)
    .flatMap((alike) => alike.slice(0, 1))
    .slice(0, mostUnlike);
}

/**
 * Whether a value is no plain slug, but made of characters that no router, server or writer of Unicode takes for anything
 * else: a slash may end a segment, a dot begin a format, and a percent sign may be decoded twice. Letters of all scripts
 * count that have one form.
 */
function isSpecial(value: string): boolean {
  const hasOneForm = value === value.normalize('NFKC');
  return !isPlainSlug(value) && hasOneForm && /^[\p{L}\p{N}_~+,:@!$&=-]+$/u.test(value);
}

/** Some of the values, from the first to the last. */
function spread(values: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, (values.length - 1) / (count - 1));
  return Array.from({ length: count }, (_, at) => Math.round(at * step)).flatMap(
    (place) => values[place] ?? [],
  );
}

/** Whether a listing shows a value at all. */
export function isListed(value: string, listing: Exchange | undefined): boolean {
  return listing !== undefined && [...leavesIn(listing).values()].includes(value);
}

/** The scalars of a 200. */
export function leavesIn(exchange: Exchange): ReturnType<typeof leavesOf> {
  return leavesOf(isOk(exchange) ? parseBody(exchange.response?.body) : undefined);
}

/** A path whose parameters have no names. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
