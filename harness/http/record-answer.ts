import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { jsonKind, parseJson, withoutBlanks } from '../evidence/json-syntax.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { Exchange, HeaderList, JsonKind, RecordedBody } from '../model/exchange.ts';
import type { RawAnswer } from './exchange.ts';
import { shortenJson } from './shorten-json.ts';

/** The answer with its body decoded; a failure where that cannot be done. A part of a body is left as it is. */
export function decoded(answer: RawAnswer): RawAnswer {
  if (answer.status === 206) return answer;
  const codings = answer.headers.flatMap(([name, value]) => (name === 'content-encoding' ? [value] : []));
  return { ...answer, ...decodeContent(answer.body, codings.join(), bodyLimit) };
}

/** Bytes without their content codings, of which the last was applied last; a failure for more than `limit` of them. */
export function decodeContent(
  bytes: Buffer,
  codings: string,
  limit: number,
): Pick<RawAnswer, 'body'> | Pick<RawAnswer, 'failure'> {
  let body = bytes;
  for (const written of codings.split(',').reverse()) {
    const coding = written.trim().toLowerCase();
    if (coding === '' || coding === 'identity' || body.length === 0) continue;
    try {
      body = decodeOne(body, coding, limit);
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      const message = isTooLarge
        ? `the ${coding} content is larger than ${limit} bytes`
        : `the content is not ${coding}, as its header says`;
      return { failure: { kind: isTooLarge ? 'too-large' : 'malformed-response', message } };
    }
  }
  return { body };
}

function decodeOne(content: Buffer, coding: string, limit: number): Buffer {
  const options = { maxOutputLength: limit };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(content, options);
    case 'br':
      return brotliDecompressSync(content, options);
    case 'deflate':
      // Many servers send raw deflate under this name; the zlib header distinguishes the two.
      return ((content[0] ?? 0) & 0x0f) === 8
        ? inflateSync(content, options)
        : inflateRawSync(content, options);
    default:
      throw new Error(`unknown content coding ${coding}`);
  }
}

/** Bytes of a body that are read at the most. */
export const bodyLimit: number = 16 * 1024 * 1024;
/** Maximum length of a recorded body in characters. */
export const keptCharacters: number = 64 * 1024;

/** Control characters that no text contains, in whatever encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** Further characters that are searched, so that a secret at the edge is found. */
const margin = 4 * 1024;

/** The record of a body without secrets; `whole` is false where reading stopped early. */
export function recordBody(bytes: Buffer, secrets: SecretRegister, whole = true): RecordedBody {
  const text = utf8Text(bytes, whole);
  if (text === undefined) {
    // These bytes are recorded as base64, in which no secret could be found any more.
    const head = bytes.subarray(0, keptCharacters + margin).toString('latin1');
    const readable = whole && head.length === bytes.length ? secrets.redact(head) : secrets.redactCut(head);
    // Compressed content could hide a secret.
    const most = control.test(readable) ? 16 : keptCharacters;
    const kept = Buffer.from(readable, 'latin1').subarray(0, most);
    return {
      text: kept.toString('base64'),
      encoding: 'base64',
      bytes: bytes.length,
      truncated: !whole || kept.length < readable.length || head.length < bytes.length,
      json: 'malformed',
    };
  }
  // The end of a flood is not searched, because it is not kept.
  const isLong = text.length > keptCharacters + margin;
  const json = whole ? jsonKind(text) : 'malformed';
  const redacted = isLong
    ? secrets.redactCut(text.slice(0, keptCharacters + margin))
    : redactBody(text, json, secrets, whole);
  const truncated = !whole || isLong || redacted.length > keptCharacters;
  return {
    text: shared(
      redacted.length > keptCharacters ? secrets.redactCut(redacted.slice(0, keptCharacters)) : redacted,
    ),
    encoding: 'utf-8',
    bytes: bytes.length,
    truncated,
    json,
  };
}

/** The record of a response's body: a long object or list loses its blanks, or else the ends of what it holds, so that checks can read it. */
function recordAnswerBody(bytes: Buffer, secrets: SecretRegister, whole: boolean): RecordedBody {
  const body = recordBody(bytes, secrets, whole);
  if (!body.truncated || (body.json !== 'object' && body.json !== 'array')) return body;
  const text = bytes.toString();
  const compact = withoutBlanks(text, keptCharacters);
  const shortened = (): string | undefined =>
    bytes.length > mostParsedBytes
      ? undefined
      : shortenJson(text, keptCharacters, (beginning) => secrets.redactCut(beginning));
  const kept = compact ?? shortened();
  const redacted = kept && redactBody(kept, body.json, secrets, true);
  return redacted === undefined || redacted.length > keptCharacters
    ? body
    : { ...body, text: shared(redacted), truncated: compact === undefined };
}

/** The text of bytes that are UTF-8, a byte order mark included; those that are not whole may end inside a character. */
function utf8Text(bytes: Buffer, isWhole: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

/** Length from which on a text is shared. */
const large = 16 * 1024;
const mostShared = 64;

const texts = new Map<string, string>();

/** The exchanges of a case stay in memory until its evaluation, and may all have the same large body. */
function shared(text: string): string {
  if (text.length < large) return text;
  const mark = hash('sha256', text);
  const known = texts.get(mark);
  if (known !== undefined) return known;
  if (texts.size >= mostShared) texts.clear();
  // A copy, because a substring keeps its whole string in memory; without half a character at the end.
  const made = Buffer.from(text.replace(/[\ud800-\udbff]$/, '')).toString();
  texts.set(mark, made);
  return made;
}

function redactBody(text: string, json: JsonKind, secrets: SecretRegister, whole: boolean): string {
  const redacted = whole ? secrets.redact(text) : secrets.redactCut(text);
  if (redacted === text || json === 'malformed' || jsonKind(redacted) === json) return redacted;
  // A key such as `12345` may occur as a number: replacing it in the text would break the JSON.
  return redactMembers(text, secrets) ?? redacted;
}

/** The text, parsed and serialised without secrets; undefined where it nests too deep. */
function redactMembers(text: string, secrets: SecretRegister): string | undefined {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, ''), (_name, member: unknown) => {
      if (Array.isArray(member)) return member;
      if (typeof member === 'object' && member !== null)
        return Object.fromEntries(
          Object.entries(member).map(([name, inner]) => [secrets.redact(name), inner as unknown]),
        );
      if (typeof member === 'string') return secrets.redact(member);
      const written = JSON.stringify(member);
      const redacted = secrets.redact(written);
      return redacted === written ? member : redacted;
    });
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const mostSimilar = 50;

function recordHeaders(headers: HeaderList, secrets: SecretRegister): HeaderList {
  // A list within the limit needs no counting.
  const counts = headers.length > mostSimilar ? new Map<string, number>() : undefined;
  const recorded: Array<readonly [string, string]> = [];
  for (const header of headers) {
    const [name, value] = header;
    const redacted = name === 'set-cookie' ? secrets.redactCookie(value) : secrets.redact(value);
    const count = (counts?.get(name) ?? 0) + 1;
    counts?.set(name, count);
    // A header with a secret is evidence, however many there are.
    if (redacted !== value) recorded.push([name, redacted]);
    else if (count <= mostSimilar) recorded.push(header);
  }
  return recorded;
}

/** The record of a response, or of its absence. */
export function recordAnswer(
  { status, headers, body, failure }: RawAnswer,
  secrets: SecretRegister,
): Pick<Exchange, 'response' | 'failure'> {
  const response = status !== undefined && {
    response: {
      status,
      headers: recordHeaders(headers, secrets),
      body: recordAnswerBody(body, secrets, failure === undefined),
    },
  };
  return {
    ...response,
    ...(failure && { failure: { kind: failure.kind, message: secrets.redact(failure.message) } }),
  };
}

/** What is wrong with the record of a body that is not what would be recorded of its text; checks rely on it. */
export function misstatedBody({ request, response, failure }: Exchange): string | undefined {
  for (const [name, body, isWhole] of [
    ['request', request.body, true],
    ['response', response?.body, failure === undefined],
  ] as const)
    if (body !== undefined && !isAsRecorded(body, isWhole))
      return `the body of the ${name} differs from what the harness records of it`;
  return undefined;
}

const noSecrets = new SecretRegister();

function isAsRecorded(body: RecordedBody, isWhole: boolean): boolean {
  const { text, encoding, truncated, json } = body;
  if (!isWhole) return truncated && json === 'malformed';
  if (truncated && encoding === 'base64') return json === 'malformed';
  if (truncated) {
    if (text.length > keptCharacters) return false;
    // The removal of secrets changes a length.
    const [long, { bytes }] = [keptCharacters / 2, body];
    return text.length >= long || (bytes >= long && json !== 'malformed' && jsonKind(text) === json);
  }
  const content = Buffer.from(text, encoding);
  const { bytes, ...expected } = recordBody(content, noSecrets);
  const isRedacted = /<[^<>]+>/.test(encoding === 'base64' ? content.toString('latin1') : text);
  // A long body lost its blanks.
  const isOther = isRedacted || (body.bytes > keptCharacters && /^[[{]/.test(text));
  return isDeepStrictEqual(body, { ...expected, bytes: isOther ? body.bytes : bytes });
}

/** Bytes beyond which a body is not parsed: no target issues an id in a flood, whose value takes ten times its size. */
const mostParsedBytes = 1024 * 1024;
const mostLevels = 1_000;

/** A JSON body for taking values out of it; undefined where it is not JSON, too large or too deep. */
export function parseAnswerBody(bytes: Buffer): unknown {
  if (bytes.length > mostParsedBytes || nestsDeeper(bytes, mostLevels)) return undefined;
  try {
    const text = bytes.toString('utf8');
    if (!/\d{16}/.test(text)) return parseJson(text);
    // A number beyond 2^53 would lose digits; as text it keeps them.
    return parseJson(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'));
  } catch {
    return undefined;
  }
}

/** Counts brackets inside strings as well, which is good enough to avoid parsing a body of mere brackets. */
function nestsDeeper(bytes: Buffer, levels: number): boolean {
  if (bytes.length < 2 * levels) return false;
  let depth = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Outside of the function that returns it, as it would keep the body of its surroundings. */
const nothing = (): unknown => undefined;

/** Parses a body when it is first needed; drops one that is not parsed, because a case may have many large ones. */
export function bodyReader({ body, failure }: RawAnswer): () => unknown {
  if (failure !== undefined || body.length > mostParsedBytes) return nothing;
  let parsed: { readonly value: unknown } | undefined;
  return () => {
    parsed ??= { value: parseAnswerBody(body) };
    return parsed.value;
  };
}
