import type { SecretRegister } from '../evidence/secret-register.ts';
import type { CredentialKind } from '../model/exchange.ts';
import type { Target } from '../model/target.ts';
import { seededRandom } from '../seeded-random.ts';
import { relatedExchanges } from './mutate-preserving-shape.ts';
import { unusualKeys } from './unusual-keys.ts';

/** What a request carries in its Authorization header. */
export interface Credential {
  readonly kind: CredentialKind;
  /** In words, as it stands in reports in place of the value. */
  readonly description: string;
  /** The header's value; undefined where the header is left out. */
  readonly header: string | undefined;
  /** The part of the header that must never be recorded. */
  readonly secret: string | undefined;
}

/** The keys of the target and everything that is derived from them, all registered as secrets. */
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
  /** Credentials that are not keys; near misses only where a good key is known. */
  readonly invalid: readonly Credential[];
  readonly #odd: readonly Credential[];

  constructor(target: Pick<Target, 'keys' | 'authorization'>, secrets: SecretRegister, seed: number) {
    const { scoped, unscoped } = target.keys;
    const credential = (
      kind: CredentialKind,
      description: string,
      key: string,
      isDerived = true,
    ): Credential => {
      if (key !== '' && isDerived) secrets.add(key, description);
      return {
        kind,
        description,
        header: target.authorization.replace('{key}', () => key).trim(),
        secret: key,
      };
    };
    this.scoped = scoped === undefined ? undefined : credential('scoped', 'scoped key', scoped);
    this.unscoped = unscoped === undefined ? undefined : credential('unscoped', 'unscoped key', unscoped);
    const model = scoped ?? unscoped;
    this.invalid = [
      ...(model === undefined ? [] : nearMisses(model, seed, new Set([scoped, unscoped]))),
      ['empty key', ''] as const,
      ['malformed credentials', 'not a key'] as const,
    ].map(([description, key]) => credential('invalid', description, key));
    const good = new Set([scoped, unscoped]);
    this.#odd = unusualKeys(model, [scoped, unscoped], seed)
      .filter(({ key }) => !good.has(key))
      .map(({ description, key, isDerived }) => credential('invalid', description, key, isDerived));
  }

  /** The nth few of the odd credentials, in the order of the seed: those of all n together cover them. */
  odd(nth: number, count: number): readonly Credential[] {
    const few = Math.min(count, this.#odd.length);
    return Array.from({ length: few }, (_, at) => this.#odd[(nth * few + at) % this.#odd.length]).filter(
      (one) => one !== undefined,
    );
  }
}

/** Values that are nearly a good key; each one is refused by a service that compares whole keys exactly. */
function nearMisses(
  key: string,
  seed: number,
  good: ReadonlySet<string | undefined>,
): ReadonlyArray<readonly [description: string, key: string]> {
  const random = seededRandom(seed, 'near misses');
  const letters = [...key.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  const changedAt = (place: number): string => {
    const position = letters[Math.floor(place * (letters.length - 1))] ?? 0;
    return (
      key.slice(0, position) +
      relatedExchanges(key.slice(position, position + 1), random) +
      key.slice(position + 1)
    );
  };
  // Lenient readers of base64 do without its padding, so that changing that changes nothing.
  const unpadded = key.replace(/=+$/, '');
  const misses: Array<readonly [string, string]> = [
    ['unknown key', relatedExchanges(key, random, keptPrefix(key))],
    ['key without its last character', unpadded.slice(0, -1)],
    // Two, for a single digit of base64 may be less than a byte, which lenient readers drop.
    ['key with two characters more', `${unpadded}xq${key.slice(unpadded.length)}`],
    ['key with one character changed near its start', changedAt(0.1)],
    ['key with one character changed in the middle', changedAt(0.5)],
    ['key with one character changed near its end', changedAt(0.85)],
    ['key with its last character changed', changeLast(unpadded) + key.slice(unpadded.length)],
    // Half of a short key may be a word, which would then be taken for a secret wherever it stands.
    ...(key.length < 16 ? [] : [['first half of the key', key.slice(0, Math.ceil(key.length / 2))] as const]),
  ];
  // Hexadecimal digits are often read as the number that they write, in which case is no part of the key.
  if (!/^[0-9a-f-]*$/i.test(key.slice(keptPrefix(key))))
    misses.push(['key in the other case', swapCase(key)]);
  return misses.filter(([, miss]) => miss !== '' && !good.has(miss));
}

/** Length of a type prefix such as `sk_live_`, without which a key would not look like a key at all. */
function keptPrefix(key: string): number {
  const prefix = /^(?:[a-z]{2,8}[_-]){1,2}/i.exec(key)?.[0] ?? '';
  return prefix.length < key.length / 2 ? prefix.length : 0;
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** In base64 the low bits of the last character may mean nothing, so its high bits are changed. */
function changeLast(key: string): string {
  const value = base64Digits.indexOf(key.slice(-1));
  return key.slice(0, -1) + (base64Digits[value < 0 ? 0 : (value + 31) % 62] ?? 'A');
}

function swapCase(key: string): string {
  return key.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}
