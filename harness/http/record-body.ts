import { hash } from 'node:crypto';
import { jsonKind } from '../evidence/json-syntax.ts';
import type { SecretRegister } from '../evidence/secret-register.ts';
import type { JsonKind, RecordedBody } from '../model/exchange.ts';

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

/** A copy, because a substring keeps its whole string in memory; drops half a character at the end. */
function copied(text: string): string {
  return Buffer.from(text.replace(/[\ud800-\udbff]$/, '')).toString();
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
  const made = copied(text);
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
