import { jsonLeaves, withJsonAt } from '../fuzzing/json-places.ts';
import type { Exchange, RecordedBody } from '../model/exchange.ts';
import type { Json } from '../model/target.ts';
import { jsonBody, type RawBody } from '../requests/call-spec.ts';

/** The body of a request as it was sent; undefined where it was recorded otherwise. */
export function sentBody({ request: { body } }: Pick<Exchange, 'request'>): RecordedBody | undefined {
  // The replacement of a secret changes the length in almost all cases.
  if (body === undefined || body.truncated || body.encoding !== 'utf-8') return undefined;
  return Buffer.byteLength(body.text) === body.bytes ? body : undefined;
}

/** The body of a JSON request, for sending it again; undefined where it was not recorded as it was sent. */
export function bodyOf(exchange: Exchange): RawBody | undefined {
  const sent = sentBody(exchange);
  return sent && { bytes: Buffer.from(sent.text), contentType: 'application/json' };
}

/** A body with further members, where it is an object and lacks some of these. */
export function extendBody(exchange: Exchange, more: Readonly<Record<string, Json>>): RawBody | undefined {
  const body = sentBody(exchange);
  if (body?.json !== 'object') return undefined;
  const value = JSON.parse(body.text) as Record<string, Json>;
  const whole = { ...more, ...value };
  return Object.keys(whole).length === Object.keys(value).length ? undefined : jsonBody(whole);
}

/** A way to write a body in other bytes. */
export interface Spelling {
  readonly write: (body: Json) => string;
}

/** The kind of another body that should be equally valid: changed numbers, changed texts, or another spelling. */
export type BodyVariation = number | 'links' | ((text: string) => string) | Spelling;

/** Texts that are changed one at a time. */
const mostTexts = 3;

/** An amount from which on lists grow as well. */
const large = 100;

/**
 * The body of an exchange in other forms; none where it holds nothing to change, or was not recorded as it was sent. By an
 * amount, small numbers grow, links get one more parameter, and a large one doubles lists. Texts, addresses aside, are all
 * changed in the first form, and one each in the others. The target may refuse any of them.
 */
export function variedBodies(exchange: Exchange, by: BodyVariation): readonly RawBody[] {
  const body = sentBody(exchange);
  if (body?.json !== 'object' && body?.json !== 'array') return [];
  const valid = JSON.parse(body.text) as Json;
  const texts =
    typeof by === 'object'
      ? [by.write(valid)]
      : typeof by === 'number' || by === 'links'
        ? [JSON.stringify(valid, (_name, value: Json) => vary(value, by))]
        : withOtherTexts(valid, by).map((value) => JSON.stringify(value));
  return texts
    .filter((text) => text !== body.text)
    .map((text) => ({ bytes: Buffer.from(text), contentType: 'application/json' }));
}

function withOtherTexts(valid: Json, change: (text: string) => string): readonly Json[] {
  const texts = jsonLeaves(valid).filter(
    ({ value }) => typeof value === 'string' && !value.includes('://') && change(value) !== value,
  );
  const changed = texts.map(({ path, value }) => [path, change(String(value))] as const);
  const all = changed.reduce<Json>((whole, [path, text]) => withJsonAt(whole, path, text), valid);
  const single = changed.slice(0, mostTexts).map(([path, text]) => withJsonAt(valid, path, text));
  return changed.length > 1 ? [all, ...single] : single;
}

/** A text of the same characters that is hardly known. */
export function backwards(text: string): string {
  return [...text].reverse().join('');
}

function vary(value: Json, by: number | 'links'): Json {
  if (Array.isArray(value) && by !== 'links' && by >= large) return [...value, ...value];
  if (typeof value === 'number' && by !== 'links') {
    return Number.isInteger(value) && value > 0 && value < 1000 ? value + by : value;
  }
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return value;
  const url = new URL(value);
  url.searchParams.append('conformance', String(by));
  return url.href;
}
