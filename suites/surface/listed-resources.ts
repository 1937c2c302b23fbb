import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';

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

/**
 * The values by which a listing names its resources, by the name of the member in which a read shows the known one; at most
 * as many as are read, evenly spread. Empty where the listing has no such member.
 */
export function listedValues(listing: Exchange, read: Exchange, name: string): readonly string[] {
  const known = sentValues(read)[name];
  const [shownAt] = [...leavesIn(read)].find(([, leaf]) => String(leaf) === known) ?? [];
  if (known === undefined || shownAt === undefined) return [];
  const member = shownAt.slice(shownAt.lastIndexOf('/'));
  const all = [...leavesIn(listing)].flatMap(([pointer, leaf]) =>
    /^\D*\/\d+\/[^/]+$/.test(pointer) && pointer.endsWith(member) && typeof leaf === 'string' ? [leaf] : [],
  );
  const others = [...new Set(all)].filter((value) => value !== known && value !== '').sort();
  const step = Math.max(1, (others.length - 1) / (listedResources - 1));
  const places = Array.from({ length: listedResources }, (_, at) => Math.round(at * step));
  return places.flatMap((place) => others[place] ?? []);
}

/** Whether a listing shows a value at all. */
export function isListed(value: string, listing: Exchange | undefined): boolean {
  return listing !== undefined && [...leavesIn(listing).values()].includes(value);
}

function leavesIn(exchange: Exchange): ReturnType<typeof leavesOf> {
  return leavesOf(statusOf(exchange) === 200 ? parseBody(exchange.response?.body) : undefined);
}

function withoutNames(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
