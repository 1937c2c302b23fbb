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

/** An equal body in other bytes; undefined where there is none. */
export function spellBody(exchange: Exchange, write: (body: Json) => string): RawBody | undefined {
  const body = sentBody(exchange);
  if (body === undefined || (body.json !== 'object' && body.json !== 'array')) return undefined;
  const text = write(JSON.parse(body.text) as Json);
  return text === body.text ? undefined : { bytes: Buffer.from(text), contentType: 'application/json' };
}

/** Texts that are changed one at a time. */
const mostTexts = 3;

/** A change from which on lists grow as well. */
const large = 100;

/**
 * A body that should be as valid and asks for something else: small numbers grow, links get one more parameter, and a
 * large change doubles lists instead of what they hold. Undefined where the body holds neither. The target may still refuse it.
 */
export function varyBody(exchange: Exchange, by: number): RawBody | undefined {
  const body = sentBody(exchange);
  if (body === undefined || (body.json !== 'object' && body.json !== 'array')) return undefined;
  const varied = JSON.stringify(JSON.parse(body.text), (_name, value: Json) => vary(value, by));
  return varied === JSON.stringify(JSON.parse(body.text)) ? undefined : jsonBody(JSON.parse(varied) as Json);
}

/**
 * Bodies whose texts, addresses aside, are changed: all of them in the first, and one each in the others. The target may
 * refuse any of them, as it may know all values of a text.
 */
export function varyTexts(exchange: Exchange, change: (text: string) => string): readonly RawBody[] {
  const body = sentBody(exchange);
  if (body === undefined || (body.json !== 'object' && body.json !== 'array')) return [];
  const valid = JSON.parse(body.text) as Json;
  const texts = jsonLeaves(valid).filter(
    ({ value }) => typeof value === 'string' && !value.includes('://') && change(value) !== value,
  );
  const changed = texts.map(({ path, value }) => [path, change(String(value))] as const);
  const all = changed.reduce<Json>((whole, [path, text]) => withJsonAt(whole, path, text), valid);
  const single = changed.slice(0, mostTexts).map(([path, text]) => withJsonAt(valid, path, text));
  return (changed.length > 1 ? [all, ...single] : single).map(jsonBody);
}

/** A text of the same characters that is hardly known. */
export function backwards(text: string): string {
  return [...text].reverse().join('');
}

function vary(value: Json, by: number): Json {
  if (Array.isArray(value) && by >= large) return [...value, ...value];
  if (typeof value === 'number') {
    return Number.isInteger(value) && value > 0 && value < 1000 ? value + by : value;
  }
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return value;
  const url = new URL(value);
  url.searchParams.append('conformance', String(by));
  return url.href;
}
