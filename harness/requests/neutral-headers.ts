import type { Operation } from '../../spec/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { seededRandom } from '../seeded-random.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * A header that a conforming service may not notice; the name in lower case. That of `authorization` has the kind of a key in
 * place of its value.
 */
export type NeutralHeader = readonly [name: string, value: string];

/**
 * What other clients than the harness send, by header: a call takes one value of each, or that of the harness where it
 * takes none. No firewall blocks these by the usual rules, and no grammar forbids them.
 */
const valuesByHeader: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'application/json, text/plain, */*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ],
  'accept-encoding': ['gzip, deflate, br', 'gzip', 'identity'],
  'accept-language': [
    'de-DE,de;q=0.9,en;q=0.7',
    'fr-FR,fr;q=0.9',
    'es-419,es;q=0.9,zh-Hans-CN;q=0.8',
    'ja-JP,ja;q=0.9',
  ],
  'user-agent': [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  ],
  cookie: ['session=expired', '_ga=GA1.2.3; _ga=GA1.2.4; consent=%7B%7D'],
  'cache-control': ['no-cache', 'max-age=0'],
  origin: ['https://shop.example', 'null'],
  referer: ['https://shop.example/'],
  'sec-fetch-site': ['cross-site'],
  via: ['1.1 proxy.example'],
  'x-forwarded-for': ['203.0.113.7, 198.51.100.2'],
};

/** Those of reads: a condition of a write may be one that the service tests. */
const valuesOfReads: Readonly<Record<string, readonly string[]>> = {
  ...valuesByHeader,
  'if-none-match': ['"never-issued"'],
};

/** Calls of one step in which each value rides along at least once. */
export const neutralRows = 4;

/**
 * Headers that ride along on the calls of one step of one case. Each call takes other values than the one before it, so that
 * a step that is sent often meets every value of every header, and these in changing company.
 */
export class NeutralHeaders {
  readonly #values: Readonly<Record<string, readonly string[]>>;
  readonly #starts: Readonly<Record<string, number>>;
  #calls = 0;

  /** `keys` are the kinds of other keys that the call may carry as well; `labels` name the step. */
  constructor(
    seed: number,
    { keys, isRead }: { readonly keys: readonly string[]; readonly isRead: boolean },
    ...labels: readonly string[]
  ) {
    const random = seededRandom(seed, 'neutral headers', ...labels);
    const values = isRead ? valuesOfReads : valuesByHeader;
    this.#values = { ...values, ...(keys.length > 0 && { authorization: keys }) };
    this.#starts = Object.fromEntries(
      Object.keys(this.#values).map((name) => [name, Math.floor(random() * 1_000)]),
    );
  }

  /** The headers of the next call. */
  next(): readonly NeutralHeader[] {
    const call = this.#calls;
    this.#calls += 1;
    return Object.entries(this.#values).flatMap(([name, values], at) => {
      // One more choice, where there is room: the header of the harness, or none.
      const choices = Math.min(values.length + 1, neutralRows);
      const value = values[((this.#starts[name] ?? 0) + call + Math.floor(call / choices) * at) % choices];
      return value === undefined ? [] : [[name, value] as const];
    });
  }
}

/** The kinds of keys that a valid call may carry in place of its usual one, or of none. */
export function otherKeys({ auth, scope }: Operation, { scoped, unscoped }: KeyRing): readonly string[] {
  const isUsual = auth === 'api-key';
  if (isUsual && (scope !== undefined || scoped === undefined)) return [];
  return [
    ...(scoped === undefined || isUsual ? [] : ['scoped']),
    ...(unscoped === undefined ? [] : ['unscoped']),
  ];
}

/** The headers that rode along on a call. */
export function neutralOf({ neutral = [], request }: Exchange): readonly NeutralHeader[] {
  return neutral.map((name) => [name, sentValue(name, request)]);
}

function sentValue(name: string, { credential, headers }: Exchange['request']): string {
  if (name === 'authorization') return credential.kind;
  return headers.find(([sent]) => sent === name)?.[1] ?? '';
}

/** What rode along, as people write it. */
export function describeNeutral({ neutral = [], request }: Exchange): readonly string[] {
  return neutral.map((name) =>
    name === 'authorization'
      ? `the ${request.credential.description}`
      : `${name}: ${sentValue(name, request)}`,
  );
}
