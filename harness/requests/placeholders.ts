import type { Json } from '../model/target.ts';

/** The placeholder that needs no capture: a value fresh for each use. */
export const UNIQUE = 'unique';

/** A use of `{name}` and the path of the text that holds it. */
export interface Placeholder {
  readonly name: string;
  readonly path: ReadonlyArray<string | number>;
}

/** Not after `$`: what `$${` leaves in a body is text. */
const PATTERN = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** All `{name}` inside the texts of a body; names of its fields are not looked at. */
export function placeholdersIn(
  body: Json,
  path: ReadonlyArray<string | number> = [],
): readonly Placeholder[] {
  if (typeof body === 'string') {
    return [...body.matchAll(PATTERN)].map((match) => ({ name: match[1] ?? '', path }));
  }
  if (typeof body !== 'object' || body === null) return [];
  const entries: Array<[string | number, Json]> = isList(body) ? [...body.entries()] : Object.entries(body);
  return entries.flatMap(([name, value]) => placeholdersIn(value, [...path, name]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
