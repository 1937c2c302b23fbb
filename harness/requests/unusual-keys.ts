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
export const unreadableKeys: readonly UnusualKey[] = [
  {
    description: 'three parts with letters outside ASCII and a percent sign in place of a key',
    key: 'cl\u00e9-\u00fc.%zz.\u00df\u00ff',
    ...mayBeRefused,
  },
  {
    description: 'a wildcard and SQL in place of a key',
    key: "%'OR'1'='1",
    ...mayBeRefused,
  },
  {
    description: 'a NUL as a user name of the scheme Basic',
    key: btoa('\0:'),
    format: 'Basic {key}',
    ...mayBeRefused,
  },
];

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

/** A letter with an acute accent, where Latin-1 has that. */
function accented(letter: string): string | undefined {
  const composed = `${letter}\u0301`.normalize('NFC');
  return /^[\u00c0-\u00ff]$/.test(composed) ? composed : undefined;
}

function madeFrom(
  key: string,
  good: ReadonlyArray<string | undefined>,
  random: () => number,
): ReadonlyArray<readonly [description: string, key: string]> {
  const made: Array<readonly [string, string]> = [['key with characters before it', `xq7${key}`]];
  // A service may read hexadecimal digits as a UUID, whose dashes mean nothing.
  if (!/^[0-9a-f-]*$/i.test(key))
    made.push(['key without its dashes and underscores', key.replaceAll(/[_-]/g, '')]);
  // Lenient decoders of base64 stop at the padding.
  if (!good.some((one) => one?.endsWith('='))) {
    made.push(['key twice in a row', key + key]);
    made.push(['two keys in a row', good.filter((one) => one !== undefined).join('')]);
    made.push(['key with a comma and more', `${key},xq7`]);
    made.push(['key behind another value and a comma', `xq7,${key}`]);
    made.push(['key with a semicolon and more', `${key};xq7`]);
  }
  const prefix = /^(?:[A-Za-z]{2,8}[_-]){1,2}/.exec(key)?.[0] ?? '';
  if (prefix !== '' && prefix.length < key.length / 2) {
    made.push(['key with its prefix in the other case', swapCase(prefix) + key.slice(prefix.length)]);
  }
  // Not near the ends, where leading zeros and the low bits of base64 may be insignificant.
  const inner = [...key.matchAll(/[A-Za-z1-9]/g)]
    .map(({ index }) => index)
    .filter((at) => at > Math.max(0, prefix.length) && at < key.length - 4);
  const at = inner[Math.floor(random() * inner.length)];
  if (at !== undefined) {
    made.push(['key with an inner character twice', key.slice(0, at + 1) + key.slice(at)]);
    made.push(['key without one of its inner characters', key.slice(0, at) + key.slice(at + 1)]);
  }
  const accent = inner.findLast((one) => accented(key.charAt(one)) !== undefined);
  if (accent !== undefined)
    made.push([withAccent, key.slice(0, accent) + accented(key.charAt(accent)) + key.slice(accent + 1)]);
  const neighbours = inner.filter((one) => {
    const [first, second] = [key[one], key[one + 1]];
    return /[A-Za-z1-9]/.test(second ?? '') && first?.toLowerCase() !== second?.toLowerCase();
  });
  const swapped = neighbours[Math.floor(random() * neighbours.length)];
  if (swapped !== undefined) {
    const [first = '', second = ''] = key.slice(swapped, swapped + 2);
    made.push([
      'key with two neighbours swapped',
      key.slice(0, swapped) + second + first + key.slice(swapped + 2),
    ]);
  }
  return made.filter(([, one]) => one !== key && one !== '');
}

const inPlace = (what: string, key: string, more: Partial<UnusualKey> = {}): UnusualKey => ({
  description: `${what} in place of a key`,
  key,
  ...more,
});

/** Values unrelated to a key. */
const strangers: readonly UnusualKey[] = [
  inPlace('a scheme', 'Bearer'),
  inPlace('a digest', 'Digest username="user", response="0"', mayBeRefused),
  inPlace('a token', 'eyJhbGciOiJub25lIn0.aaaa.c2ln'),
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
  {
    description: 'a user and password in plain text of the scheme Basic',
    key: 'user:password',
    format: 'Basic {key}',
    ...mayBeRefused,
  },
];

/** Descriptions of the values that may be refused as malformed. */
export const mayBeMalformed: ReadonlySet<string> = new Set([
  withAccent,
  ...[...unreadableKeys, ...strangers].flatMap((one) => (one.mayBeMalformed ? [one.description] : [])),
]);
