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
