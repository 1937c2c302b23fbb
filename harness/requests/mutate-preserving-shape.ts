const classes: readonly RegExp[] = [/[0-9]/, /[a-f]/, /[A-F]/, /[a-z]/, /[A-Z]/];
const alphabets: readonly string[] = [
  '0123456789',
  'abcdef',
  'ABCDEF',
  'ghjkmnpqrstvwxyz',
  'GHJKMNPQRSTVWXYZ',
];

/**
 * Another value in the shape of a given one: every letter and digit is exchanged for one of its class, all else and
 * what precedes `keep` stays. A UUID keeps its version and variant, a ULID its first character.
 */
export function mutatePreservingShape(value: string, random: () => number, keep = 0): string {
  const fixed = fixedPositions(value);
  let changed = '';
  let position = 0;
  for (const character of value) {
    const kind = classes.findIndex((letters) => letters.test(character));
    const isLeading = position === 0 && number.test(value);
    const alphabet = (alphabets[kind] ?? '').replace(isLeading ? /^0/ : '', '').replace(character, '');
    changed +=
      kind < 0 || position < keep || fixed.has(position)
        ? character
        : (alphabet[Math.floor(random() * alphabet.length)] ?? character);
    position += 1;
  }
  return changed;
}

/** Letters and digits that must be exchanged for a value to be hardly one that exists. */
const leastChanges = 6;

/**
 * A value in the shape of a known one that hardly exists. Short values, and those of letters that are left as they are,
 * are made longer; the prefix of an id stays, as others may be malformed.
 */
export function unknownLike(known: string, random: () => number): string {
  const other = mutatePreservingShape(known, random, isPlainSlug(known) ? 0 : prefixLength(known));
  const changes = [...other].filter((character, at) => character !== [...known][at]).length;
  if (changes >= leastChanges) return other;
  // Nine digits at the most: a number may have to fit into 32 bits.
  const more = /^[0-9]+$/.test(known) ? '73915062'.slice(0, Math.max(1, 9 - known.length)) : '-qwzkxjvb';
  return other + mutatePreservingShape(more, random);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const number = /^[1-9][0-9]*$/;
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Length of a type prefix such as `cs_` or `sk_live_`, which each id or key of its kind has. */
export function prefixLength(value: string): number {
  const { length = 0 } = (uuid.test(value) ? null : /^(?:[a-z]{2,8}[_-]){1,2}/i.exec(value)?.[0]) ?? '';
  return length < value.length / 2 ? length : 0;
}

/** The places of a UUID, also behind a prefix, at which its version and variant stand. */
export function fixedPositions(value: string): ReadonlySet<number> {
  const start = prefixLength(value);
  if (uuid.test(value.slice(start))) return new Set([start + 14, start + 19]);
  if (ulid.test(value)) return new Set([0]);
  return new Set();
}

/** Whether every value in the shape of this one is well-formed: UUIDs, ULIDs, numbers and plain slugs carry no checksum. */
export function hasOpenShape(value: string): boolean {
  return (
    uuid.test(value) ||
    ulid.test(value) ||
    (number.test(value) && !isArticleNumber(value)) ||
    isPlainSlug(value)
  );
}

/** Whether a value is words of lower-case letters and digits, and nothing that is known by its shape. */
export function isPlainSlug(value: string): boolean {
  return (
    !uuid.test(value) && !ulid.test(value) && slug.test(value) && /[a-z]/.test(value) && value.length <= 64
  );
}

/** Whether the last digit is the check digit of an EAN, UPC or ISBN. */
function isArticleNumber(value: string): boolean {
  if (![8, 12, 13, 14].includes(value.length)) return false;
  const sum = [...value]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

export function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}
