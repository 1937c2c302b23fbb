import { withTexts } from '../../harness/fuzzing/json-places.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { accented, reversed } from '../request/unusual-forms.ts';

type BodyChange = (valid: RawBody) => RawBody;

/** The changes that traits make to a valid body, by id, in an order in which they can be combined. */
export const bodyChanges: Readonly<Record<string, BodyChange>> = {
  'wide-letters': withText(withWideLetters),
  'plain-member': withText((text) => withMember(text, 'in words')),
  'members-reversed': withText((text) => JSON.stringify(reversed(JSON.parse(text) as Json))),
  spaced: withText((text) =>
    text.replace(tokens, (token) => (token.length > 1 ? token : `\n\t ${token} \r\n`)),
  ),
  'blanks-before': withText((text) => ' '.repeat(5_000) + text),
  'blanks-after': withText((text) => text + ' '.repeat(5_000)),
  'long-member': withText((text) => withMember(text, 'a'.repeat(4_980))),
  'type-in-capitals': underType((type) => type.replace('application/json', 'Application/JSON')),
  'line-break-before': withText((text) => `\n${text}`),
  'escaped-slashes': withText((text) => text.replaceAll('/', '\\/')),
  charset: underType((type) => `${type};charset=utf-8`),
  'escaped-names': withText(inStrings((name, colon) => (colon === '' ? name : escaped(name) + colon))),
  'escaped-texts': withText(inStrings((text, colon) => (colon === '' ? escaped(text) : text + colon))),
  'quoted-charset': underType((type) => `${type}; charset="utf-8"`),
  'many-blanks-after': withText((text) => text + ' '.repeat(60_000)),
  exponents: withText(withExponents),
};

function withText(change: (text: string) => string): BodyChange {
  return ({ bytes, contentType }) => ({ bytes: Buffer.from(change(bytes.toString())), contentType });
}

/** The body under another media type, made from its own. */
function underType(change: (contentType: string) => string): BodyChange {
  return ({ bytes, contentType = '' }) => ({ bytes, contentType: change(contentType) });
}

/** In the sentences of a body, or in one more member if it has none. */
function withWideLetters(text: string): string {
  const valid = JSON.parse(text) as Json;
  const changed = JSON.stringify(withTexts(valid, accented));
  return changed === JSON.stringify(valid) ? withMember(text, accented('in words')) : changed;
}

/** One more member of an object; other bodies stay as they are. */
function withMember(text: string, value: string): string {
  const member = `{"conformance":${JSON.stringify(value)}`;
  return text.replace(/^\{\s*(\}?)/, (_all, end: string) => member + (end || ','));
}

/** The relevant tokens of a JSON text: texts, and the signs between values. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** Changes the quoted parts of a JSON text; a colon follows those that are names. */
function inStrings(change: (quoted: string, colon: string) => string): (text: string) => string {
  return (text) =>
    text.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (_all, quoted: string, colon = '') => change(quoted, colon));
}

/** Letters whose escape has a digit that is a letter. */
const withLetterDigit = /^[j-oz]$/i;

/**
 * The last letter of a quoted text as an escape, and each letter whose escape has a letter for a digit, which is then in
 * capitals: the same by RFC 8259, section 7. Slashes stay beside theirs.
 */
function escaped(quoted: string): string {
  const inHex = (letter: string): string => letter.charCodeAt(0).toString(16).padStart(4, '0');
  const units = quoted.match(/\\u[\da-f]{4}|\\.|[^\\]/gis) ?? [];
  const last = units.findLastIndex((unit) => /^[a-z]$/i.test(unit));
  return units
    .map((unit, at) => {
      if (withLetterDigit.test(unit)) return `\\u${inHex(unit).toUpperCase()}`;
      return at === last ? `\\u${inHex(unit)}` : unit;
    })
    .join('');
}

function withExponents(text: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g;
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : `${token}e0`));
}
