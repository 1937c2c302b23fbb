import {
  fixedPositions,
  isPlainSlug,
  mutatePreservingShape,
  prefixLength,
} from '../../harness/requests/mutate-preserving-shape.ts';

/** A value that is near to a known one and names nothing. */
export interface NearMiss {
  /** How it differs from the known value; also its value in the row of a call. */
  readonly what: string;
  readonly value: string;
}

/** Letters and digits below which an id may be one of a series, so that changing or cutting it may name another resource. */
const leastLetters = 8;
/** Characters from which on the first eight are a small part of an id, and nobody has issued the near ones. */
export const longId = 16;

/** Those that all values have, of which a quick run sends one to each parameter. */
export const commonNearMisses = 6;

/** What the known value before a reserved domain is called. */
export const hostBelowDomain = 'a host name below a domain';

/** The one that may be another id of a series. */
export const lastChanged = 'its last character changed';

/** The most near misses of one value. */
export const mostNearMisses = 10;

const accented = new Map([...'aeioucn'].map((plain, at) => [plain, [...'áéíóúçñ'][at] ?? plain]));

/** What ids are written in, the fewest first: hexadecimal digits, both kinds of base32, base36 and base64. */
const alphabets = [
  '0123456789abcdef',
  '0123456789abcdefghjkmnpqrstvwxyz',
  'abcdefghijklmnopqrstuvwxyz234567',
  '0123456789abcdefghijklmnopqrstuvwxyz',
].flatMap((one) => [one, one.toUpperCase()]);
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Values near to a known one that a service with an inexact look-up takes for it. A conforming service may ignore letter
 * case, Unicode form and surrounding whitespace, so that none differs in these alone. The path corpus holds further ones.
 */
export function nearMisses(known: string, random: () => number): readonly NearMiss[] {
  const characters = [...known];
  const letters = characters.flatMap((one, at) => (/[A-Za-z0-9]/.test(one) ? [at] : []));
  const changedTo = (at: number, character: string): string =>
    characters.map((one, place) => (place === at ? character : one)).join('');
  const appended = { what: 'letters appended', value: `${known}abc` };
  if (/^\d*$/.test(known)) return [appended];
  // Nobody names anything so, however short names are.
  if (letters.length < leastLetters)
    return [
      appended,
      { what: 'an underscore for one character', value: changedTo(letters.at(-1) ?? 0, '_') },
    ];
  const changed = (at: number): string => changedTo(at, otherCharacter(characters[at] ?? '', known, random));
  const middle = letters.find((at) => at >= characters.length / 2 && !fixedPositions(known).has(at)) ?? 0;
  const accent = characters.findLastIndex((one) => accented.has(one));
  const isSlug = isPlainSlug(known);
  const isLongId = characters.length >= longId && !isSlug;
  const wildcard = isSlug && known.includes('-') ? known.indexOf('-') : middle;
  const misses: ReadonlyArray<readonly [applies: boolean, what: string, value: string]> = [
    [true, 'one character changed in the middle', changed(middle)],
    [true, lastChanged, changed(letters.at(-1) ?? 0)],
    [true, 'an underscore for one character', changedTo(wildcard, '_')],
    [true, 'an asterisk for its end', `${characters.slice(0, letters.at(-2)).join('')}*`],
    [isLongId, 'only its first eight characters', characters.slice(0, 8).join('')],
    [isLongId, 'letters appended', `${known}abc`],
    // A parser of UUIDs may cut a group that is too long.
    [isLongId && isUuid(known), 'a digit in front', `1${known}`],
    [!isLongId, 'its first character changed', changed(letters[0] ?? 0)],
    [!isLongId, 'an accent on one letter', changedTo(accent, accented.get(known[accent] ?? '') ?? '')],
    [isSlug, 'a list with another value', `${known},conformance-unknown`],
    // A proxy that passes on the decoded path makes a query of it.
    [isSlug, 'a question mark and a letter appended', `${known}?v`],
    [isSlug, hostBelowDomain, `${known}.shop.example`],
    // As made for doubles, of which there are not so many.
    [isSlug, 'a hyphen and a number appended', `${known}-${900 + Math.floor(random() * 99)}`],
  ];
  return misses.flatMap(([applies, what, value]) => (applies && value !== known ? [{ what, value }] : []));
}

/** Another letter or digit for one of a value, from the alphabet of its ids, of which no decoder ignores the difference. */
function otherCharacter(character: string, known: string, random: () => number): string {
  // A digit in a slug may count resources, of which the next one exists.
  if (isPlainSlug(known) && !/^[0-9a-f-]*$/.test(known))
    return /\d/.test(character) ? 'x' : mutatePreservingShape(character, random);
  const own = [...known.slice(prefixLength(known))].filter((one) => /[A-Za-z0-9]/.test(one));
  // Digits alone may count as well.
  const isCount = own.every((one) => /\d/.test(one));
  const alphabet = isCount
    ? base64
    : (alphabets.find((each) => own.every((one) => each.includes(one))) ?? base64);
  // The low bits of the last digit may have no meaning.
  return alphabet[(alphabet.indexOf(character) + alphabet.length / 2) % alphabet.length] ?? 'x';
}

function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
