import type { Operation } from '../../spec/contract.ts';
import type { Members } from '../model/supplied-document.ts';
import { follow, membersOf, type Place, reach, rootOf } from './follow-references.ts';

/** What is needed to find an operation in a document. */
export type Route = Pick<Operation, 'method' | 'path'>;

/** An operation as a document describes it. */
export interface DescribedOperation {
  readonly method: string;
  /** The path template as the document writes it, without what its servers add. */
  readonly path: string;
  /** The full paths of the operation, one for each server. */
  readonly fullPaths: readonly string[];
  readonly place: Place;
  readonly pathItem: Place;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation below `paths`, in the order of the document. */
export function describedOperations(content: Members): readonly DescribedOperation[] {
  return membersOf(content, reach(content, rootOf(content), 'paths')).flatMap(([path, unresolved]) => {
    if (!path.startsWith('/')) return [];
    return methods.flatMap((method) => {
      const place = follow(content, reach(content, unresolved, method));
      const pathItem = follow(content, unresolved);
      if (place === undefined || pathItem === undefined) return [];
      const prefixes = serverPrefixes(content, [place, pathItem, rootOf(content)]);
      const fullPaths = prefixes.map((prefix) => prefix + path);
      return [{ method: method.toUpperCase(), path, fullPaths, place, pathItem }];
    });
  });
}

/** The description of an operation, whatever stands before `/api/v1` and however its path parameters are called. */
export function findOperation(
  described: readonly DescribedOperation[],
  route: Route,
): DescribedOperation | undefined {
  return atPath(described, route.path).find(({ method }) => method === route.method);
}

/** All that is described at a path of the contract, the plainest path first. */
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

/** A path template with the names of its parameters left out. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** The document's name for a path parameter of the contract. */
export function parameterName(described: DescribedOperation, route: Route, name: string): string | undefined {
  const ours = namesIn(route.path);
  const theirs = namesIn(described.path);
  // Counted from the end: a prefix may have parameters of its own.
  return theirs.at(ours.indexOf(name) - ours.length);
}

function namesIn(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
}

function serverPrefixes(content: Members, holders: readonly Place[]): readonly string[] {
  for (const holder of holders) {
    const servers = membersOf(content, reach(content, holder, 'servers'));
    if (servers.length > 0) return [...new Set(servers.map(([, server]) => prefixOf(content, server)))];
  }
  return [''];
}

function prefixOf(content: Members, server: Place): string {
  const template = reach(content, server, 'url')?.value;
  if (typeof template !== 'string') return '';
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) =>
    String(reach(content, server, 'variables', name, 'default')?.value ?? name),
  );
  const path = URL.parse(filled, 'http://relative/')?.pathname ?? '';
  return path.replace(/\/+$/, '');
}
