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
  const entries: Array<[string | number, Json]> = Array.isArray(body)
    ? [...(body as readonly Json[]).entries()]
    : Object.entries(body);
  return entries.flatMap(([name, value]) => placeholdersIn(value, [...path, name]));
}

/** The same, but with the hyphens that a name in a target file may have. */
const filled = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

/** Puts values in; a text that is nothing but `{name}` takes the value in its own type, unknown names stay. */
export function fillPlaceholders(body: Json, values: ReadonlyMap<string, string | number>): Json {
  if (typeof body === 'string') {
    const whole = /^\{([^{}]+)\}$/.exec(body)?.[1];
    const value = whole === undefined ? undefined : values.get(whole);
    return value ?? body.replaceAll(filled, (text, name: string) => String(values.get(name) ?? text));
  }
  if (Array.isArray(body)) return body.map((member: Json) => fillPlaceholders(member, values));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fillPlaceholders(value, values)]),
  );
}
