import type { Json } from '../model/target.ts';

/** Not after `$`: what `$${` leaves in a body is text. */
const pattern = /(?<!\$)\{([A-Za-z_][A-Za-z0-9_-]*)\}/g;

/** Puts values in; a text that is nothing but `{name}` takes the value in its own type, unknown names stay. */
export function fillPlaceholders(body: Json, values: ReadonlyMap<string, string | number>): Json {
  if (typeof body === 'string') {
    const whole = /^\{([^{}]+)\}$/.exec(body)?.[1];
    const value = whole === undefined ? undefined : values.get(whole);
    return value ?? body.replaceAll(pattern, (text, name: string) => String(values.get(name) ?? text));
  }
  if (Array.isArray(body)) return body.map((member: Json) => fillPlaceholders(member, values));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, fillPlaceholders(value, values)]),
  );
}
