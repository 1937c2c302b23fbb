import type { Json } from '../model/target.ts';
import type { KeyPath, TargetProblem } from './target-problem.ts';

/** Copies what JSON can hold, without entries that are undefined, and complains about the rest. */
export function plainJson(value: unknown, problems: TargetProblem[]): Json {
  return copy(value, [], [], problems);
}

function copy(value: unknown, path: KeyPath, above: readonly object[], problems: TargetProblem[]): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'object') {
    if (above.includes(value)) {
      problems.push({
        path,
        what: 'the value contains itself',
        remedy: 'remove the YAML alias, or write the value out',
      });
      return null;
    }
    const within = [...above, value];
    if (Array.isArray(value))
      return value.map((item, index) => copy(item, [...path, index], within, problems));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) {
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => item !== undefined)
          .map(([name, item]) => [name, copy(item, [...path, name], within, problems)]),
      );
    }
  }
  problems.push({
    path,
    what: 'the value cannot be written in JSON',
    remedy: 'use text, numbers, true, false, null, lists and maps',
  });
  return null;
}

/** The entries of a map; none for any other value, so that one mistake is not told twice. */
export function entriesOf(value: Json | undefined): ReadonlyArray<readonly [name: string, value: Json]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value as Readonly<Record<string, Json>>);
}

/** The entry of a map by its name. */
export function entryOf(value: Json | undefined, name: string): Json | undefined {
  return entriesOf(value).find(([own]) => own === name)?.[1];
}

/** The entry of a map if it is text. */
export function textOf(value: Json | undefined, name: string): string | undefined {
  const entry = entryOf(value, name);
  return typeof entry === 'string' ? entry : undefined;
}
