import { createHash } from 'node:crypto';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { CredentialKind } from '../model/exchange.ts';
import type { Target } from '../model/target.ts';
import type { Planned } from '../sampling/profile.ts';
import { type Count, countByProfile } from '../sampling/step-plan.ts';
import { seededRandom } from '../seeded-random.ts';
import { mutatePreservingShape, prefixLength, swapCase } from './mutate-preserving-shape.ts';
import { type UnusualKey, unreadableKeys, unusualKeys } from './unusual-keys.ts';

export interface Credential extends Planned {
  readonly kind: CredentialKind;
  /** Replaces the value in reports. */
  readonly description: string;
  /** The header's value; undefined where the header is left out. */
  readonly header: string | undefined;
  readonly secret: string | undefined;
  /** How the header is written, with `{key}` in place of the secret part. */
  readonly format?: string;
}

/** Keys that few services accept which accept none of the other near misses. */
const rare = new Set([
  'key with one character changed near its start',
  'key with one character changed near its end',
  'first half of the key',
]);
/** The near misses that every key has, by their descriptions: of the shortest one. */
export function leastMisses(): readonly string[] {
  const { invalid } = new KeyRing(
    { keys: { scoped: '0' }, authorization: '{key}' },
    { add: () => undefined },
    1,
  );
  return invalid.map(({ description }) => description);
}
/** Near misses of a key by profile, as long as it has all forms. */
export const nearMissCount: Count = countByProfile(
  Array.from({ length: 9 + rare.size }, (_, at) => (at < 9 ? {} : { weight: 'low' })),
);

/** The keys of the target and the values derived from them, all registered as secrets. */
export class KeyRing {
  readonly none: Credential = {
    kind: 'none',
    description: 'no credentials',
    header: undefined,
    secret: undefined,
  };
  /** The key that holds catalog:read; undefined where none is known. */
  readonly scoped: Credential | undefined;
  /** The key that lacks catalog:read; undefined where none is known. */
  readonly unscoped: Credential | undefined;
  /** Invalid credentials; near misses only where a valid key is known. */
  readonly invalid: readonly Credential[];
  /** Credentials that a service may be unable to read, and may then refuse with 400. */
  readonly unreadable: readonly Credential[];
  /** All unusual credentials, in the order of the seed. */
  readonly allUnusual: readonly Credential[];
  readonly #format: string;

  /** `recalled` names the credentials of an earlier run whose keys are not known. */
  constructor(
    target: Pick<Target, 'keys' | 'authorization'>,
    secrets: Pick<SecretRegister, 'add'>,
    seed: number,
    recalled?: { readonly invalid: readonly string[]; readonly unusual: readonly string[] },
  ) {
    const { scoped, unscoped } = target.keys;
    this.#format = target.authorization;
    const credential = (
      kind: CredentialKind,
      description: string,
      key: string,
      isDerived = true,
      format = target.authorization,
    ): Credential => {
      if (key !== '' && isDerived) secrets.add(key, description, kind === 'invalid' ? 'variant' : 'secret');
      const header = format.replace('{key}', () => key).trim();
      const from = rare.has(description) ? ({ weight: 'low' } as const) : {};
      return { kind, description, header, secret: key, format, ...from };
    };
    this.scoped = scoped === undefined ? undefined : credential('scoped', 'scoped key', scoped);
    this.unscoped = unscoped === undefined ? undefined : credential('unscoped', 'unscoped key', unscoped);
    const model = scoped ?? unscoped;
    // Where keys are written as user names, these are good ones.
    const takesUsers = /^basic\b/i.test(target.authorization);
    const { key: inner, spell } = spellingOf(model, takesUsers);
    const goodInner = [scoped, unscoped].map((key) => spellingOf(key, takesUsers).key);
    const misses = [
      ...(inner === undefined ? [] : nearMisses(inner, seed, new Set(goodInner))).map(
        ([description, miss]) => [description, spell(miss)] as const,
      ),
      ['empty key', ''] as const,
    ].map(([description, key]) => credential('invalid', description, key));
    // It is no secret, so that a report shows it as it was sent.
    misses.push(credential('invalid', 'malformed credentials', 'not a key', false));
    this.invalid = misses;
    const unusual = (from: readonly UnusualKey[], write = (key: string) => key): readonly Credential[] =>
      from.map(({ description, key, isDerived, format }) =>
        credential(
          'invalid',
          description,
          format === undefined ? write(key) : key,
          isDerived === true,
          format,
        ),
      );
    this.unreadable = unusual(unreadableKeys(inner));
    this.allUnusual = unusual(
      unusualKeys(inner, goodInner, seed).filter(({ key }) => !goodInner.includes(key)),
      spell,
    );
    if (recalled !== undefined) {
      const standIn = (description: string): Credential =>
        description.endsWith('of the scheme Basic')
          ? credential('invalid', description, btoa(`${standInFor(description)}:`), true, 'Basic {key}')
          : credential('invalid', description, standInFor(description));
      this.invalid = recalled.invalid.map(standIn);
      this.allUnusual = recalled.unusual.map(standIn);
    }
  }

  /** A text that is no secret, such as an id, written like a key. */
  asKey(text: string, description: string): Credential {
    const header = this.#format.replace('{key}', () => text).trim();
    return { kind: 'invalid', description, header, secret: text, format: this.#format };
  }
}

/** The nth group of so many values; after the last value comes the first. */
export function shareOf<Value>(values: readonly Value[], nth: number, count: number): readonly Value[] {
  const few = Math.min(count, values.length);
  return Array.from({ length: few }, (_, at) => values[(nth * few + at) % values.length]).filter(
    (one) => one !== undefined,
  );
}

/** A value in place of a secret that is not known. */
export function standInFor(description: string): string {
  return `standin${createHash('sha256').update(description).digest('hex').slice(0, 32)}`;
}

/** Values that are almost a valid key; a service that compares whole keys exactly refuses each. */
function nearMisses(
  key: string,
  seed: number,
  good: ReadonlySet<string | undefined>,
): ReadonlyArray<readonly [description: string, key: string]> {
  const random = seededRandom(seed, 'near misses');
  // Another good key may be near: verification relies on a near miss of each kind.
  const mutated = (text: string, kept: number, put = (one: string) => one): string => {
    const make = (): string => put(mutatePreservingShape(text, random, kept));
    let other = make();
    for (let tries = 1; good.has(other) && tries < 20; tries += 1) other = make();
    return other;
  };
  const letters = [...key.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  const changedAt = (place: number, character?: string): string => {
    const position = letters[Math.floor(place * (letters.length - 1))] ?? 0;
    const put = (one: string): string => key.slice(0, position) + one + key.slice(position + 1);
    return character === undefined ? mutated(key.slice(position, position + 1), 0, put) : put(character);
  };
  // Lenient decoders of base64 ignore its padding, so that changing it changes nothing.
  const unpadded = key.replace(/=+$/, '');
  const misses: Array<readonly [string, string]> = [
    ['unknown key', mutated(key, prefixLength(key))],
    ['key without its last character', unpadded.slice(0, -1)],
    // Two, because one digit of base64 may be less than a byte, which lenient decoders drop.
    ['key with two characters more', `${unpadded}xq${key.slice(unpadded.length)}`],
    ['key with one character changed near its start', changedAt(0.1)],
    // For a look-up with LIKE, an underscore is any character.
    ['key with an underscore for one character in the middle', changedAt(0.5, '_')],
    ['key with one character changed near its end', changedAt(0.85)],
    ['key with its last character changed', changeLast(unpadded) + key.slice(unpadded.length)],
    // Half of a short key may be a word, which would then be redacted wherever it occurs.
    ...(key.length < 16 ? [] : [['first half of the key', key.slice(0, Math.ceil(key.length / 2))] as const]),
  ];
  // Where all letters are of one case, as those of numbers in hexadecimal, case may have no meaning.
  const own = key.slice(prefixLength(key));
  if (own !== own.toLowerCase() && own !== own.toUpperCase())
    misses.push(['key in the other case', swapCase(key)]);
  return misses.filter(([, miss]) => miss !== '' && !good.has(miss));
}

/**
 * The key within the credentials, and how another one is written in its place: in Basic credentials, the longer of user
 * and password. Changes of the encoded text could leave them as they are, or change the other one, which may be ignored.
 */
function spellingOf(
  credentials: string | undefined,
  takesUsers: boolean,
): { readonly key: string | undefined; spell(key: string): string } {
  const plain = { key: credentials, spell: (key: string) => key };
  if (credentials === undefined || !takesUsers) return plain;
  const decoded = Buffer.from(credentials, 'base64').toString();
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(decoded) ?? [];
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  if (encode(`${user}:${password}`) !== credentials) return plain;
  return user.length >= password.length
    ? { key: user, spell: (key) => encode(`${key}:${password}`) }
    : { key: password, spell: (key) => encode(`${user}:${key}`) };
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Changes the high bits of the last character, because in base64 its low bits may be insignificant. */
function changeLast(key: string): string {
  const value = base64Digits.indexOf(key.slice(-1));
  return key.slice(0, -1) + (base64Digits[value < 0 ? 0 : (value + 31) % 62] ?? 'A');
}
