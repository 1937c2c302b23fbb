import type { Exchange } from '../model/exchange.ts';
import { headerOf, isJsonMediaType, parseBody } from './answer.ts';
import { type BodyForm, type KnownResponder, responders, type Sign } from './responders.ts';

/** An identified sender of an error response. */
export interface Identified {
  readonly responder: KnownResponder;
  readonly why: string;
}

/** Identifies the sender of an error response by its body and headers alone; undefined where no known one matches. */
export function identifyResponder(exchange: Exchange): Identified | undefined {
  if (exchange.failure !== undefined || (exchange.response?.status ?? 0) < 300) return undefined;
  const responder = responders.find(({ signs }) => signs.some((sign) => matches(sign, exchange)));
  return responder && { responder, why: describe(exchange) };
}

/** The known responders that show in the headers of a response that they pass on. */
export function respondersInHeaders(exchange: Exchange): readonly Identified[] {
  return responders.flatMap((responder) => {
    const header = Object.entries(responder.passing ?? {}).find(([name, pattern]) =>
      pattern.test(headerOf(exchange, name) ?? ''),
    );
    if (header === undefined) return [];
    return [{ responder, why: `${header[0]}: ${headerOf(exchange, header[0])?.slice(0, quoted)}` }];
  });
}

/** Which form the body of a response has. */
export function bodyFormOf(exchange: Exchange): BodyForm {
  const body = exchange.response?.body;
  if (body === undefined || body.json === 'empty') return 'empty';
  if (body.json !== 'malformed') {
    if (body.json !== 'object') return 'other json';
    return isJsonMediaType(headerOf(exchange, 'content-type')) ? 'json object' : 'other json';
  }
  return /^\s*<(?:!doctype|html|head|\?xml|h\d|pre|body|center|a href)/i.test(body.text) ? 'html' : 'text';
}

/** Names of the top-level members of a JSON object; empty for other bodies. */
export function memberNamesOf(exchange: Exchange): readonly string[] {
  const parsed = parseBody(exchange.response?.body);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? Object.keys(parsed) : [];
}

function matches(sign: Sign, exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === undefined) return false;
  const { statuses, form, title, body, headers = {}, lacks = [], members } = sign;
  return (
    (statuses === undefined || statuses.includes(response.status)) &&
    (form === undefined || form === bodyFormOf(exchange)) &&
    (title === undefined || title.test(titleOf(exchange))) &&
    (body === undefined || body.test(response.body.text)) &&
    (members === undefined || hasExactly(exchange, members)) &&
    Object.entries(headers).every(([name, value]) => value.test(headerOf(exchange, name) ?? '')) &&
    lacks.every((name) => headerOf(exchange, name) === undefined)
  );
}

function hasExactly(exchange: Exchange, members: readonly string[]): boolean {
  const names = memberNamesOf(exchange);
  return names.length === members.length && members.every((name) => names.includes(name));
}

function titleOf(exchange: Exchange): string {
  return /<title>\s*([^<]*?)\s*<\/title>/i.exec(exchange.response?.body.text ?? '')?.[1] ?? '';
}

/** The text of an HTML page without its head, on one line. */
export function pageText(exchange: Exchange): string {
  return (exchange.response?.body.text ?? '')
    .replace(/<(head|script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Characters of a header, or of a page's title or text, that are quoted. */
const quoted = 60;

function describe(exchange: Exchange): string {
  const form = bodyFormOf(exchange);
  const text = exchange.response?.body.text ?? '';
  switch (form) {
    case 'html':
      return `HTML page "${(titleOf(exchange) || pageText(exchange)).slice(0, quoted)}"`;
    case 'empty':
      return 'an empty body';
    case 'text':
      return `the text "${text.replace(/\s+/g, ' ').trim().slice(0, quoted)}"`;
    default:
      return `JSON with ${memberNamesOf(exchange).slice(0, 6).join(', ') || 'no members'}`;
  }
}
