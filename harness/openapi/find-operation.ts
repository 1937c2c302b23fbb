import type { Operation } from '../../spec/contract.ts';
import type { Place } from './place.ts';

/** The facts by which an operation is found in a document. */
export type Route = Pick<Operation, 'method' | 'path'>;

export interface DescribedOperation {
  readonly method: string;
  /** The path template as the document writes it, without the prefix of a server. */
  readonly path: string;
  /** The full paths of the operation, one for each server. */
  readonly fullPaths: readonly string[];
  readonly place: Place;
  readonly pathItem: Place;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation below `paths`, in the order of the document. */
export function describedOperations(root: Place): readonly DescribedOperation[] {
  return root.entries('paths').flatMap(([path, unresolved]) => {
    const pathItem = unresolved.end;
    if (!path.startsWith('/') || pathItem === undefined) return [];
    return methods.flatMap((method) => {
      const place = unresolved.at(method)?.end;
      if (place === undefined) return [];
      const fullPaths = serverPrefixes([place, pathItem, root]).map((prefix) => prefix + path);
      return [{ method: method.toUpperCase(), path, fullPaths, place, pathItem }];
    });
  });
}

/** The description of an operation; prefixes before `/api/v1` and names of path parameters do not count. */
export function findOperation(
  described: readonly DescribedOperation[],
  route: Route,
): DescribedOperation | undefined {
  return atPath(described, route.path).find(({ method }) => method === route.method);
}

/** The described operations at a path of the contract, the shortest path first. */
export function atPath(
  described: readonly DescribedOperation[],
  path: string,
): readonly DescribedOperation[] {
  const wanted = shapeOf(path);
  return described
    .flatMap((one) => {
      const lengths = one.fullPaths.map(shapeOf).filter((shape) => shape.endsWith(wanted));
      return lengths.length === 0 ? [] : [{ one, length: Math.min(...lengths.map(({ length }) => length)) }];
    })
    .sort((a, b) => a.length - b.length)
    .map(({ one }) => one);
}

/** A path template without the names of its parameters. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** The document's name for a path parameter of the contract. */
export function parameterName(described: DescribedOperation, route: Route, name: string): string | undefined {
  const ours = namesIn(route.path);
  // From the end, because a prefix may have parameters too.
  return namesIn(described.path).at(ours.indexOf(name) - ours.length);
}

export function namesIn(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}

/** The parameters of an operation, then those of its path, in the order of the document. */
export function parametersOf({ place, pathItem }: DescribedOperation): readonly Place[] {
  return [place, pathItem].flatMap((holder) => holder.items('parameters'));
}

/** A path parameter of an operation, its own or that of the path. */
export function pathParameter(described: DescribedOperation, name: string | undefined): Place | undefined {
  return parametersOf(described).find(
    (parameter) => parameter.read('in') === 'path' && parameter.read('name') === name,
  )?.end;
}

function serverPrefixes(holders: readonly Place[]): readonly string[] {
  const servers = holders.map((holder) => holder.items('servers')).find(({ length }) => length > 0);
  return servers === undefined ? [''] : [...new Set(servers.map(prefixOf))];
}

function prefixOf(server: Place): string {
  const template = server.read('url');
  if (typeof template !== 'string') return '';
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) =>
    String(server.read('variables', name, 'default') ?? name),
  );
  const path = URL.parse(filled, 'http://relative/')?.pathname ?? '';
  return path.replace(/\/+$/, '');
}
