import { parseJson } from '../evidence/json-syntax.ts';

/** How much of each object, list and text is kept, the most first. */
const extents = [
  { members: 500, items: 50, letters: 500 },
  { members: 100, items: 10, letters: 100 },
  { members: 50, items: 2, letters: 50 },
] as const;
type Extent = (typeof extents)[number] & { readonly cut: (beginning: string) => string };

/** Levels that keep their values; deeper ones become null. */
const mostLevels = 6;

/**
 * A JSON object or list of at most `most` characters that has the members of a longer one: lists, texts and large objects lose
 * their ends, which pass through `cut`. Undefined for JSON that stays longer, or nests too deep to be parsed.
 */
export function shortenJson(
  text: string,
  most: number,
  cut: (beginning: string) => string,
): string | undefined {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return extents
    .map((extent) => JSON.stringify(shorten(value, { ...extent, cut }, 0)))
    .find((shortened) => shortened.length <= most);
}

function shorten(value: unknown, extent: Extent, level: number): unknown {
  if (typeof value === 'string')
    return value.length > extent.letters ? `${extent.cut(value.slice(0, extent.letters))}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (level === mostLevels) return null;
  if (Array.isArray(value))
    return value.slice(0, extent.items).map((item) => shorten(item, extent, level + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, extent.members)
      .map(([name, member]) => [name, shorten(member, extent, level + 1)]),
  );
}
