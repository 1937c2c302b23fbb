import { headerOf, parseBody } from '../evidence/answer.ts';
import { namedScalars } from '../evidence/json-leaves.ts';
import { decodedSegment } from '../fuzzing/path-segment.ts';
import type { Exchange, RecordedBody } from '../model/exchange.ts';

/** The texts in the body of an error response; undefined for other responses. */
export function errorTexts(exchange: Exchange): readonly string[] | undefined {
  const { response, failure } = exchange;
  if (response === undefined || failure !== undefined || response.status < 400) return undefined;
  const { body } = response;
  const parsed = parseBody(body);
  if (parsed !== undefined)
    return namedScalars(parsed, deepest).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const text = bytesAsText(body);
  const isMarkup = /html|xml/i.test(headerOf(exchange, 'content-type') ?? '') || /^\s*</.test(text);
  // Truncated or malformed JSON still contains escapes.
  return [isMarkup ? withoutMarkup(text) : unescapeJson(text)];
}

/** Members that hold the text of any error, and those among them that hold its reasons. */
const wordings =
  /^(?:code|kind|status|title|name|message|messages|msg|detail|details|description|reason|errors?|problems?|path|id)$/i;
const reasons = /^(?:messages?|msg|details?|description|reason|errors?|problems?)$/i;
/** Members that name the kind of an error, or the call. */
const silent = /^(?:type|instance|timestamp|(?:request|trace|correlation|span)[-_]?id)$/i;

/** The texts of an error, each with the name of its field: those of request fields first, then its reasons. */
export function saidOf(
  exchange: Exchange,
  body: unknown = parseBody(exchange.response?.body),
): readonly string[] {
  const named = namedScalars(body, deepest).flatMap(({ steps, value }) => {
    const name = steps.findLast((step) => !/^\d*$/.test(step)) ?? '';
    if (typeof value !== 'string' || silent.test(name)) return [];
    const isWording = name === '' || wordings.test(name);
    const rank = isWording ? (reasons.test(name) ? 1 : 2) : 0;
    return { rank: rank - steps.length / 100, text: isWording ? value : `${name}: ${value}` };
  });
  if (named.length === 0) return errorTexts(exchange) ?? [];
  return named.sort((a, b) => a.rank - b.rank).map(({ text }) => text);
}

/** Whether a part of a response was part of the request, so that it reveals nothing about the server. */
export function isEchoed(piece: string, exchange: Exchange): boolean {
  const { path, body } = exchange.request;
  const once = decodedSegment(path);
  const sent = body === undefined ? '' : bytesAsText(body);
  return [path, once, decodedSegment(once), sent, unescapeJson(sent)].some((text) => text.includes(piece));
}

/** Levels that are read of a hostile document. */
const deepest = 64;

function bytesAsText(body: RecordedBody): string {
  return body.encoding === 'base64' ? Buffer.from(body.text, 'base64').toString('latin1') : body.text;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescapeJson(text: string): string {
  return text.replace(/\\([nrt"\\/])/g, (_all, letter: string) => escapes[letter] ?? letter);
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
  '#160': ' ',
  '#xa0': ' ',
  '#47': '/',
  '#x2f': '/',
  amp: '&',
};

function withoutMarkup(text: string): string {
  return text
    .replace(/<br\s*\/?>|<\/(?:p|div|li|tr|pre|h\d)>/gi, '\n')
    .replace(/<[^<>]{0,500}>/g, '')
    .replace(/&(#?\w{1,6});/g, (all, name: string) => entities[name.toLowerCase()] ?? all);
}
