import type { Operation } from '../../../spec/operation.ts';
import { statusOf } from '../../evidence/answer.ts';
import type { ShapeEntry } from '../../model/report.ts';
import { sentOf } from './cause.ts';
import type { Sighting } from './sighting.ts';

/** The route of an operation of the contract. */
export type Route = Pick<Operation, 'id' | 'method' | 'path' | 'peers'>;

/** By operation, another one whose route may take its calls. */
export type OtherRoutes = ReadonlyMap<string, string>;

/** Members that a shape must have before an equal one means anything. */
const fewestMembers = 3;

/**
 * Operations whose 200 responses look like those of another one, of which the path is the beginning of theirs. Operations on
 * one session or login look alike by contract.
 */
export function otherRoutesOf(shapes: readonly ShapeEntry[], operations: readonly Route[]): OtherRoutes {
  const known = new Map(
    shapes
      .filter(({ status, shape }) => status === 200 && !shape.cut && shape.members.length >= fewestMembers)
      .map(({ operation, shape }) => [operation, shape.members.map(({ path }) => path).join(' ')]),
  );
  const routes = new Map<string, string>();
  for (const { id, method, path, peers = {} } of operations) {
    const shape = known.get(id);
    const other = operations.find(
      (one) =>
        one.method === method &&
        !Object.values(peers).includes(one.id) &&
        patternOf(path).startsWith(`${patternOf(one.path)}/`) &&
        shape === known.get(one.id),
    );
    if (shape !== undefined && other !== undefined) routes.set(id, other.id);
  }
  return routes;
}

/** A path without the names of its parameters. */
function patternOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}

/** The operation that may have answered in place of the one that was called with an unknown resource; undefined for none. */
export function otherRouteOf(sighting: Sighting, routes: OtherRoutes): string | undefined {
  if (sighting.requirement !== 'RESOURCE-1' || statusOf(sighting.exchange) !== 200) return undefined;
  // Encoded characters in the value lead elsewhere by themselves.
  return sentOf(sighting).class === 'path value' ? routes.get(sighting.operation) : undefined;
}

/** The fix if the route of another operation may answer. */
export function otherRouteFix(route: string): string {
  return `First check whether the route of ${route} also matches this path, by a wildcard, as a prefix or because it is declared first: the responses look like those of ${route}, and this path begins with the path of that route. If the route does not match, look up the whole path, and answer 404 if nothing is found.`;
}
