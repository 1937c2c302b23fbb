import { withTexts } from '../../harness/fuzzing/json-places.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { accented, reversed } from '../request/unusual-forms.ts';

type BodyChange = (valid: RawBody) => RawBody;

/** What the traits of bodies do to a valid one, by their ids, in the order in which they can follow each other. */
export const bodyChanges: Readonly<Record<string, BodyChange>> = {
  'wide-letters': withText(withWideLetters),
  'members-reversed': withText((text) => JSON.stringify(reversed(JSON.parse(text) as Json))),
  indented: withText((text) => JSON.stringify(JSON.parse(text), null, '\t')),
  'blanks-before': withText((text) => ' '.repeat(5_000) + text),
  'blanks-after': withText((text) => text + ' '.repeat(5_000)),
  'long-member': withText((text) => withMember(text, 'a'.repeat(4_980))),
  'type-in-capitals': underType((type) => type.replace('application/json', 'Application/JSON')),
  'line-break-before': withText((text) => `\n${text}`),
  'escaped-slashes': withText((text) => text.replaceAll('/', '\\/')),
  charset: underType((type) => `${type};charset=utf-8`),
  'escaped-letters': withText(escaped),
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

/** In the sentences of a body, or in one more member where there are none. */
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

/** The last letter of each name and text as an escape, which means the same (RFC 8259, section 7); slashes stay beside theirs. */
function escaped(text: string): string {
  const inHex = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) =>
    quoted.replace(/(?<=["A-Za-z])[A-Za-z](?="$)/, inHex),
  );
}

function withExponents(text: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g;
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : `${token}e0`));
}
