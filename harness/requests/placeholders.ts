import { jsonLeaves, withTexts } from '../fuzzing/json-places.ts';
import type { Json } from '../model/target.ts';

/** The placeholder that needs no capture: a value fresh for each use. */
export const UNIQUE = 'unique';

/** Not after `$`: what `$${` leaves in a body is text. */
const PATTERN = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of all `{name}` inside the texts of a body; names of its fields are not looked at. */
export function placeholdersIn(body: Json): readonly string[] {
  return jsonLeaves(body).flatMap(({ value }) =>
    Array.from(String(value).matchAll(PATTERN), ([, name = '']) => name),
  );
}

/** The same, but with the hyphens that a name in a target file may have. */
const filled = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

/** Puts values in; a text that is nothing but `{name}` takes the value in its own type, unknown names stay. */
export function fillPlaceholders(body: Json, values: ReadonlyMap<string, string | number>): Json {
  return withTexts(body, (text) => {
    const whole = /^\{([^{}]+)\}$/.exec(text)?.[1];
    const value = whole === undefined ? undefined : values.get(whole);
    return value ?? text.replaceAll(filled, (all, name: string) => String(values.get(name) ?? all));
  });
}
