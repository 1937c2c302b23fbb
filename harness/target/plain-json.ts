import type { Json } from '../model/target.ts';
import type { KeyPath, TargetProblem } from './target-problem.ts';

/** Copies values of JSON without undefined entries, and refuses all others; `readText` replaces the texts. */
export function plainJson(
  root: unknown,
  problems: TargetProblem[],
  readText: (text: string, path: KeyPath) => Json = (text) => text,
): Json {
  const copy = (value: unknown, path: KeyPath, above: readonly object[]): Json => {
    const refuse = (what: string, remedy: string): null => {
      problems.push({ path, what, remedy });
      return null;
    };
    if (typeof value === 'string') return readText(value, path);
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value as Json;
    const isList = Array.isArray(value);
    if (!isList && !isMap(value))
      return refuse(
        'the value cannot be written in JSON',
        'use text, numbers, true, false, null, lists and maps',
      );
    if (above.includes(value))
      return refuse('the value contains itself', 'remove the YAML alias, or write the value out');
    const within = [...above, value];
    if (isList) return value.map((item, index) => copy(item, [...path, index], within));
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([name, item]) => [name, copy(item, [...path, name], within)]));
  };
  return copy(root, [], []);
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** The entries of a map; none for any other value, which the schema refuses. */
export function entriesOf(value: Json | undefined): ReadonlyArray<readonly [name: string, value: Json]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value as Readonly<Record<string, Json>>);
}

export function entryOf(value: Json | undefined, name: string): Json | undefined {
  return entriesOf(value).find(([own]) => own === name)?.[1];
}

export function textOf(value: Json | undefined, name: string): string | undefined {
  const entry = entryOf(value, name);
  return typeof entry === 'string' ? entry : undefined;
}
