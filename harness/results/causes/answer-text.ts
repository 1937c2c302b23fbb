import { headerOf, isCompressed } from '../../evidence/answer.ts';
import { bodyFormOf, pageText } from '../../evidence/identify-responder.ts';
import { isCutJson, isJsonTwice, parseJson, textBesideJson } from '../../evidence/json-syntax.ts';
import { responseIdsOf } from '../../evidence/response-ids.ts';
import type { Exchange } from '../../model/exchange.ts';
import { tried } from '../../tried.ts';
import { bounded, visibleText } from '../../visible-text.ts';
import type { byteFixes } from './cause-fixes.ts';

/** The response in words, such as `is answered 500 text/plain: “oops”`, with the first words of an error body. */
export function answerText(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure !== undefined || response === undefined) {
    const kind = failure === undefined ? '' : ` (${failure.kind})`;
    return response === undefined ? `gets no answer${kind}` : `gets an incomplete ${response.status}${kind}`;
  }
  const type = headerOf(exchange, 'content-type')?.split(';', 1)[0]?.trim();
  const form = bodyFormOf(exchange) === 'empty' ? 'without a body' : (type ?? 'without a media type');
  const words = response.status >= 400 ? ownWords(exchange) : '';
  const isRedirect = response.status >= 300 && response.status < 400;
  const target = isRedirect ? headerOf(exchange, 'location') : undefined;
  const where = target === undefined ? '' : ` to ${bounded(target)}`;
  return `is answered ${response.status} ${bounded(form)}${where}${words === '' ? '' : `: “${words}”`}`;
}

/** Failures of a response whose head came. */
const breaks: ReadonlyArray<string | undefined> = ['reset', 'malformed-response'];

/** The defect in the bytes of a response; undefined if there is none, if JSON was not expected, or if the record is incomplete. */
export function byteFaultOf(exchange: Exchange): keyof typeof byteFixes | undefined {
  // A part of a body that was asked for is cut as it should be.
  if (exchange.response?.status === 206) return undefined;
  if (exchange.response !== undefined && breaks.includes(exchange.failure?.kind)) {
    const [coding = 'identity', length] = ['content-encoding', 'content-length'].map((name) =>
      headerOf(exchange, name),
    );
    return coding === 'identity' || length === undefined ? 'broken' : 'broken compressed';
  }
  const { json, text = '', encoding, truncated, bytes } = exchange.response?.body ?? {};
  if (encoding === 'base64') {
    if (isCompressed({ encoding, text })) return 'compressed';
    return /^\s*[[{]/.test(Buffer.from(text, 'base64').toString('latin1')) ? 'charset' : undefined;
  }
  if (json !== 'malformed' || truncated) return undefined;
  if (isJsonTwice(text)) return 'twice';
  if (textBesideJson(text) !== undefined) return 'text beside';
  if (!isCutJson(text)) return undefined;
  const isAsLongAsSaid = Number(headerOf(exchange, 'content-length')) === bytes;
  return isAsLongAsSaid && Buffer.byteLength(text) > text.length ? 'characters' : 'other';
}

/** A longer id is a value that the call varied. */
const longestId = 128;

/** The id to search for in the log of the service: that of the response, otherwise that of the request; undefined for none. */
export function logIdOf(exchange: Exchange): string | undefined {
  const id = responseIdsOf(exchange)[0]?.value ?? sentHeader(exchange, 'x-request-id');
  return id === undefined || id.length > longestId ? undefined : visibleText(id);
}

/** The first words of an error body: its message, its title, or its first line. */
export function ownWords(exchange: Exchange): string {
  const { text = '', json, encoding, truncated } = exchange.response?.body ?? {};
  if (encoding === 'base64') return '';
  if (json === 'malformed') {
    const words = bodyFormOf(exchange) === 'html' ? pageText(exchange) : text;
    return bounded(words.split('\n').find((line) => line.trim() !== '') ?? '');
  }
  return truncated ? '' : bounded(messageIn(tried(parseJson, text), 0) ?? '');
}

const messageNames = 'message detail description error_description title msg text error errors reason'.split(
  ' ',
);

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  const nested = Object.values(value).filter((member) => typeof member === 'object');
  const members = Array.isArray(value)
    ? value.slice(0, 1)
    : [...messageNames.map((name) => Reflect.get(value, name)), ...nested];
  return members.map((member) => messageIn(member, depth + 1)).find((text) => text !== undefined);
}

/** The first value of a header that was sent. */
export function sentHeader({ request }: Exchange, wanted: string): string | undefined {
  return request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
