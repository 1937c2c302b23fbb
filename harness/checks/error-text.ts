import { headerOf, parseBody } from '../evidence/answer.ts';
import type { Exchange, RecordedBody } from '../model/exchange.ts';

/** What a person could read in the body of an error answer, piece by piece; undefined where it is no error answer. */
export function errorTexts(exchange: Exchange): readonly string[] | undefined {
  const { response, failure } = exchange;
  if (response === undefined || failure !== undefined || response.status < 400) return undefined;
  const { body } = response;
  const parsed = parseBody(body);
  if (parsed !== undefined) return stringsIn(parsed);
  const text = bytesAsText(body);
  const isMarkup = /html|xml/i.test(headerOf(exchange, 'content-type') ?? '') || /^\s*</.test(text);
  // JSON that was cut, or is not quite JSON, still has its escapes.
  return [isMarkup ? withoutMarkup(text) : unescapeJson(text)];
}

/** Whether a piece of an answer stood in the request, so that it says nothing about the server. */
export function isEchoed(piece: string, exchange: Exchange): boolean {
  const { path, body } = exchange.request;
  const once = decodeLeniently(path);
  const sent = body === undefined ? '' : bytesAsText(body);
  return [path, once, decodeLeniently(once), sent, unescapeJson(sent)].some((text) => text.includes(piece));
}

/** Levels that are looked at: a hostile document must not exhaust the stack. */
const deepest = 64;

/** All strings of a JSON document, names of members left aside. */
function stringsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return depth > deepest ? [] : Object.values(value).flatMap((member) => stringsIn(member, depth + 1));
}

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

function decodeLeniently(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
