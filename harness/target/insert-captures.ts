import type { Capture, Json } from '../model/target.ts';

/** A body for a login's return, with values that the initiation issued in place of made-up ones. */
export interface IssuedBody {
  /** With the values themselves, to be sent once. */
  readonly now: Json;
  /** With placeholders, to be sent again and again. */
  readonly body: Json;
  readonly captures: Readonly<Record<string, Capture>>;
}

/**
 * Replaces the texts of a body that the answer of `from` holds under the same name by values captured from that answer;
 * undefined where there are none.
 */
export function putInCaptures(
  body: Json,
  from: string,
  answer: unknown,
  isTaken: (name: string) => boolean,
): IssuedBody | undefined {
  const issued = new Map<string, { readonly pointer: string; readonly value: string }>();
  collect(answer, '', issued, 0);
  const captures: Record<string, Capture> = {};
  const put = (value: Json, name: string, asPlaceholder: boolean): Json => {
    if (typeof value === 'string') {
      const found = issued.get(plain(name));
      const placeholder = placeholderOf(name);
      if (found === undefined || placeholder === undefined || isTaken(placeholder)) return value;
      captures[placeholder] = { from, pointer: found.pointer };
      return asPlaceholder ? `{${placeholder}}` : found.value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: Json) => put(item, name, asPlaceholder));
    return Object.fromEntries(
      Object.entries(value).map(([member, item]) => [member, put(item as Json, member, asPlaceholder)]),
    );
  };
  const now = put(body, '', false);
  const again = put(body, '', true);
  return Object.keys(captures).length === 0 ? undefined : { now, body: again, captures };
}

const deepest = 8;

/** The outermost text of each name. */
function collect(
  value: unknown,
  pointer: string,
  found: Map<string, { readonly pointer: string; readonly value: string }>,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > deepest) return;
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, member] as const,
  );
  for (const [name, at, member] of members) {
    if (typeof member === 'string' && !found.has(plain(name)))
      found.set(plain(name), { pointer: at, value: member });
  }
  for (const [, at, member] of members) collect(member, at, found, depth + 1);
}

function placeholderOf(name: string): string | undefined {
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return /^\w{1,40}$/.test(capital) ? `login${capital}` : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
