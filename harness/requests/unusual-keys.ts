import { createHmac } from 'node:crypto';
import { seededRandom } from '../seeded-random.ts';
import { mutatePreservingShape, swapCase } from './mutate-preserving-shape.ts';

/** A value in place of a key that is not a key. */
export interface UnusualKey {
  readonly description: string;
  readonly key: string;
  /** Derived from a valid key, and therefore secret. */
  readonly isDerived?: true;
  /** How the header is written, with `{key}` in place of the value; as for keys if absent. */
  readonly format?: string;
  /** A service or a proxy may refuse it as malformed, with 400, before it looks for a key. */
  readonly mayBeMalformed?: true;
}

const mayBeRefused = { mayBeMalformed: true } as const;

/** Values that few readers of headers can read. */
export function unreadableKeys(model = ''): readonly UnusualKey[] {
  const prefix = prefixOf(model);
  return [
    // As long as the key, which some compare before the letters.
    inPlace(
      'three parts with letters outside ASCII and a percent sign',
      'cl\u00e9-\u00fc.%zz.\u00df\u00ff'.padEnd(model.length, '\u00fc'),
      mayBeRefused,
    ),
    inPlace('a wildcard and SQL', `${prefix}%'OR'1'='1`, {
      ...mayBeRefused,
      ...(prefix === '' ? {} : { isDerived: true }),
    }),
    inBasic('a NUL as a user name', btoa('\0:')),
  ];
}

/** Length of a key below which a derived value may be an ordinary word. */
const leastLetters = 8;
/** The shape of a very long value; common servers accept headers of 4,000 characters and may refuse longer ones. */
const veryLong = 'kQ7'.repeat(1_334);

// Excludes what a conforming service may read as the valid key, because the contract does not show the header's format:
// surrounding whitespace and quotes, other schemes or spellings of one, a trailing comma, more text after a space or in a
// second header, repeated or missing separators, and other spellings of the same number or bytes.
/** Values that no conforming service accepts as a key, in an order that depends on the seed; near misses are separate. */
export function unusualKeys(
  model: string | undefined,
  good: ReadonlyArray<string | undefined>,
  seed: number,
): readonly UnusualKey[] {
  const random = seededRandom(seed, 'odd keys');
  const derived = model === undefined || model.length < leastLetters ? [] : madeFrom(model, good, random);
  const all: readonly UnusualKey[] = [
    ...derived.map(([description, key]) => ({ description, key, isDerived: true }) as const),
    ...forgedTokens(model ?? ''),
    ...strangers.map((stranger) =>
      stranger.key === veryLong ? { ...stranger, key: mutatePreservingShape(veryLong, random) } : stranger,
    ),
  ];
  return all
    .map((key) => ({ key, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ key }) => key);
}

const withAccent = 'key with an accent on one of its letters';
const wide = 'key in full-width letters';
const withInvisible = 'key with an invisible character in it';

/** The bytes of a text in UTF-8, as the characters of a header. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const inBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens (RFC 7519) that anybody can write, with the claims of the key where that is one. */
function forgedTokens(model: string): readonly UnusualKey[] {
  const [, own] = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(model) ?? [];
  const claims =
    own ?? inBase64({ sub: 'admin', scope: 'catalog:read', iat: 1_700_000_000, exp: 4_102_444_800 });
  const signed = (secret: string): string => {
    const token = `${inBase64({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    return `${token}.${createHmac('sha256', secret).update(token).digest('base64url')}`;
  };
  const forged = (what: string, key: string): UnusualKey =>
    inPlace(what, key, own === undefined ? {} : { isDerived: true });
  return [
    forged('a token that says that it is not signed', `${inBase64({ alg: 'none', typ: 'JWT' })}.${claims}.`),
    forged('a token signed with an empty secret', signed('')),
    forged('a token signed with the word secret', signed('secret')),
  ];
}

/** A letter with an acute accent, where Latin-1 has that. */
function accented(letter: string): string | undefined {
  const composed = `${letter}\u0301`.normalize('NFC');
  return /^[\u00c0-\u00ff]$/.test(composed) ? composed : undefined;
}

/** The words that keys of a kind begin with. */
function prefixOf(key: string): string {
  return /^(?:[A-Za-z]{2,8}[_-]){1,2}/.exec(key)?.[0] ?? '';
}

function madeFrom(
  key: string,
  good: ReadonlyArray<string | undefined>,
  random: () => number,
): ReadonlyArray<readonly [description: string, key: string]> {
  const prefix = prefixOf(key);
  // Not near the ends, where leading zeros and the low bits of base64 may be insignificant.
  const inner = [...key.matchAll(/[A-Za-z1-9]/g)]
    .map(({ index }) => index)
    .filter((at) => at > Math.max(0, prefix.length) && at < key.length - 4);
  const drawn = (places: readonly number[]): number | undefined =>
    places[Math.floor(random() * places.length)];
  /** The key with other text for so many characters; as it is where there is no place. */
  const put = (at: number | undefined, length: number, text: (old: string) => string): string =>
    at === undefined ? key : key.slice(0, at) + text(key.slice(at, at + length)) + key.slice(at + length);
  const at = drawn(inner);
  const neighbours = inner.filter((one) => {
    const [first, second] = [key[one], key[one + 1]];
    return /[A-Za-z1-9]/.test(second ?? '') && first?.toLowerCase() !== second?.toLowerCase();
  });
  const other = good.find((one) => one !== undefined && one !== key) ?? key;
  const half = Math.ceil(key.length / 2);
  const made: ReadonlyArray<readonly [description: string, key: string]> = [
    ['first half of one key and the other half of another', key.slice(0, half) + other.slice(half)],
    ['key with characters before it', `eee${key}`],
    // A service may read hexadecimal digits as a UUID, whose dashes mean nothing.
    ['key without its dashes and underscores', /^[0-9a-f-]*$/i.test(key) ? key : key.replaceAll(/[_-]/g, '')],
    // Lenient decoders of base64 stop at the padding. What follows a comma or a semicolon may be a parameter, as in Rails.
    ...(good.some((one) => one?.endsWith('='))
      ? []
      : ([
          ['key twice in a row', key + key],
          ['two keys in a row', good.filter((one) => one !== undefined).join('')],
          ['key behind another value and a comma', `xq7,${key}`],
        ] as const)),
    // A token may have more parts than those that are looked at.
    ['key with a full stop and a word behind it', /[.=]/.test(key) ? key : `${key}.xq7`],
    [
      'key with its prefix in the other case',
      prefix.length < key.length / 2 ? put(0, prefix.length, swapCase) : key,
    ],
    // Without a prefix, it may be base64, whose lenient decoders drop what is none.
    ['key with punctuation in it and behind it', prefix === '' ? key : `${put(at, 0, () => '.')}!`],
    [withInvisible, prefix === '' ? key : `${prefix}${inUtf8('\u200b')}${key.slice(prefix.length)}`],
    [wide, inUtf8(key.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)))],
    ['key with an inner character twice', put(at, 1, (old) => old + old)],
    ['key without one of its inner characters', put(at, 1, () => '')],
    [
      withAccent,
      put(
        inner.findLast((one) => accented(key.charAt(one)) !== undefined),
        1,
        (old) => accented(old) ?? old,
      ),
    ],
    ['key with two neighbours swapped', put(drawn(neighbours), 2, ([first, second]) => `${second}${first}`)],
  ];
  return made.filter(([, one]) => one !== '' && !good.includes(one) && one !== key);
}

function inPlace(what: string, key: string, more: Partial<UnusualKey> = {}): UnusualKey {
  return { description: `${what} in place of a key`, key, ...more };
}

function inBasic(what: string, key: string): UnusualKey {
  return { description: `${what} of the scheme Basic`, key, format: 'Basic {key}', ...mayBeRefused };
}

const strangers: readonly UnusualKey[] = [
  inPlace('a scheme', 'Bearer'),
  inPlace('a digest', 'Digest username="user", response="0"', mayBeRefused),
  inPlace('a JSON object', '{"$ne":null}', mayBeRefused),
  inPlace('an asterisk', '*'),
  inPlace('a percent sign', '%', mayBeRefused),
  inPlace('a regular expression', '.*'),
  inPlace('an LDAP filter', '*)(uid=*))(|(uid=*', mayBeRefused),
  inPlace('a method of every object', 'constructor'),
  ...['test', 'demo', 'admin'].map((word) => inPlace(`the word ${word}`, word)),
  inPlace('a placeholder', 'YOUR_API_KEY'),
  ...['null', 'undefined'].map((word) => inPlace(`the word ${word}`, word)),
  inPlace('a very long value', veryLong, mayBeRefused),
  inBasic('a user and password in plain text', 'user:password'),
  inBasic('a user name without a colon', btoa('foo')),
];

/** Descriptions of the values that may be refused as malformed. */
export const mayBeMalformed: ReadonlySet<string> = new Set([
  withAccent,
  wide,
  withInvisible,
  ...[...unreadableKeys(), ...strangers].flatMap((one) => (one.mayBeMalformed ? [one.description] : [])),
]);
