import type { UnusualBody } from '../../harness/checks/body-refusal.ts';
import { jsonLeaves, withJsonAt } from '../../harness/fuzzing/json-places.ts';
import { jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import type { Json } from '../../harness/model/target.ts';

/** For what a valid body is too small to be made into. */
const stock = '{"a":1}';

/**
 * Bodies that the grammar of JSON (RFC 8259) does not allow. Where a forgiving reader would understand one, it is made
 * from the valid body, so that being understood shows as 200 and not as another 400. Left out is what the RFC leaves to
 * the reader or is lost before the grammar is asked: byte order marks, repeated names, bytes that are not UTF-8 within
 * a string.
 */
export function malformedBodies(valid: string): readonly UnusualBody[] {
  return [
    spoilt('JSON without its last character', valid, (text) => text.slice(0, -1)),
    spoilt('a comma after the last member', valid, (text) => `${text.slice(0, -1)},${text.slice(-1)}`),
    spoilt('single quotes for double ones', valid, (text) => text.replaceAll('"', "'")),
    spoilt('names without quotes', valid, (text) => text.replace(/"([A-Za-z_]\w*)"(\s*:)/g, '$1$2')),
    spoilt('a comment', valid, (text) => `/* a comment */ ${text}`),
    spoilt('a number NaN', valid, (text) => withMember(text, 'NaN')),
    spoilt('a nought before a number', valid, noughtBeforeNumber),
    spoilt('a bare tab in a text', valid, (text) => withMember(text, '"a\tb"')),
    spoilt('an unknown escape', valid, unknownEscape),
    spoilt('a closing brace too many', valid, (text) => `${text}}`),
    odd('a form under its own media type', asForm(valid), 'application/x-www-form-urlencoded'),
    odd(
      'XML under its own media type',
      '<?xml version="1.0" encoding="UTF-8"?><request/>',
      'application/xml',
    ),
    odd('plain text', 'this is not JSON'),
    odd('white space only', ' \r\n\t'),
    odd('bytes that are not text', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x1f, 0x8b])),
    odd('2000 opening brackets', '['.repeat(2000)),
  ];
}

function odd(label: string, body: string | Buffer, contentType = 'application/json'): UnusualBody {
  return { label, body: { bytes: Buffer.from(body as string), contentType } };
}

/** The valid body spoilt; made sure that it is, as an empty object holds nothing to quote. */
function spoilt(label: string, valid: string, spoil: (text: string) => string): UnusualBody {
  const text = spoil(valid.trim());
  return odd(label, isJson(text) || text.trim() === '' ? spoil(stock) : text);
}

/** The text of an object with one more member, whatever its value is written as. */
function withMember(text: string, value: string): string {
  return text.replace(/^\{/, () => `{"conformance":${value},`).replace(/,\}$/, '}');
}

/** One of the numbers, which is as large as before to who forgives the nought. */
function noughtBeforeNumber(text: string): string {
  const value = JSON.parse(text) as Json;
  const number = jsonLeaves(value).find((leaf) => typeof leaf.value === 'number');
  if (number === undefined) return withMember(text, '01');
  const digits = String(number.value).replace(/^-?/, '$&0');
  return jsonText(withJsonAt(value, number.path, numberAsWritten(digits)));
}

/** A backslash before a letter that has no meaning after one, in JSON or in JavaScript; dropped, it leaves all as it was. */
function unknownEscape(text: string): string {
  const letter = /[ac-eg-mo-qswyz]/;
  const quoted = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const plain = quoted.find((token) => !token.includes('\\') && letter.test(token));
  return plain === undefined ? text : text.replace(plain, () => plain.replace(letter, '\\$&'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The members of an object as a browser's form would send them. */
function asForm(text: string): string {
  const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const form = new URLSearchParams();
  for (const [name, member] of members) {
    form.append(name, typeof member === 'object' ? JSON.stringify(member) : String(member));
  }
  return form.toString();
}
