import type { UnusualBody } from '../../harness/checks/body-refusal.ts';
import { jsonLeaves, withJsonAt } from '../../harness/fuzzing/json-places.ts';
import { jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import type { Json } from '../../harness/model/target.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { type Count, countByProfile } from '../../harness/sampling/step-plan.ts';

/** Stands in for a valid body that is unknown or too small to be changed. */
const stock = '{"a":1}';

/** Leniencies of parsers that each operation is sent in turn. */
const mostInTurn = 2;

/**
 * Bodies that the grammar of JSON (RFC 8259) does not allow. Those that a lenient reader would understand come from the
 * valid body, so that understanding them shows as 200 and not as another 400. Byte order marks, repeated names and bytes
 * within a string that are not UTF-8 are absent, as the RFC leaves these to the reader. What the contract has refused in
 * any case comes first: it is no JSON by any reader's leave.
 */
export function malformedBodies(valid: string = stock, nth = 0): readonly UnusualBody[] {
  const withComma = spoilt(
    'trailing-comma',
    'a comma after the last member',
    valid,
    (text) => `${text.slice(0, -1)},${text.slice(-1)}`,
  );
  const never = notJson(valid);
  const bodies = [
    ...never,
    withComma,
    spoilt('single-quotes', 'single quotes for double ones', valid, (text) => text.replaceAll('"', "'")),
    spoilt('unquoted-names', 'names without quotes', valid, (text) =>
      text.replace(/"([A-Za-z_]\w*)"(\s*:)/g, '$1$2'),
    ),
    spoilt('comment', 'a comment', valid, (text) => `/* a comment */ ${text}`),
    spoilt('nan', 'a number NaN', valid, (text) => withMember(text, 'NaN')),
    spoilt('zero-before-number', 'a zero before a number', valid, zeroBeforeNumber),
    spoilt('bare-tab', 'a bare tab in a text', valid, (text) => withMember(text, '"a\tb"')),
    spoilt('unknown-escape', 'an unknown escape', valid, unknownEscape),
    spoilt('extra-brace', 'a closing brace too many', valid, (text) => `${text}}`),
    body('form', 'a form under its own media type', asForm(valid), 'application/x-www-form-urlencoded'),
  ];
  const inTurn = [
    ...shareOf(never, nth, 1),
    ...[withComma, ...rareBodies(valid)].slice(nth * mostInTurn, (nth + 1) * mostInTurn),
  ];
  return [...new Set([...bodies, ...inTurn])].map((one) =>
    inTurn.includes(one) ? one : { ...one, from: 'standard' },
  );
}

/** What no reader of JSON may take for JSON. */
function notJson(valid: string): readonly UnusualBody[] {
  return [
    spoilt('truncated', 'JSON without its last character', valid, (text) => text.slice(0, -1)),
    body(
      'xml',
      'XML under its own media type',
      '<?xml version="1.0" encoding="UTF-8"?><request/>',
      'application/xml',
    ),
    body('text', 'plain text', 'this is not JSON'),
    body('blank', 'whitespace only', ' \r\n\t'),
    body('binary', 'bytes that are not text', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x1f, 0x8b])),
    body('deep', '2000 opening brackets', '['.repeat(2000)),
  ];
}

/**
 * Bodies that no reader may take for JSON, by id. Others may be read all the same: RFC 8259 (section 9) leaves extensions
 * to the parser, and a service may read forms beside JSON.
 */
export const neverJson: ReadonlySet<string> = new Set(notJson(stock).map(({ id }) => id));

/** What few readers accept. One reader serves all operations, so that each is sent some of these. */
function rareBodies(valid: string): readonly UnusualBody[] {
  return [
    spoilt('nul-after-end', 'a NUL and more after the end', valid, (text) => `${text}\0x`),
    spoilt('no-break-space', 'a no-break space before the first name', valid, (text) =>
      text.replace(/^\{/, '{\u00a0'),
    ),
    spoilt('none-value', 'the word None as a value', valid, (text) => withMember(text, 'None')),
    spoilt('hash-comment', 'a comment behind a hash sign', valid, (text) => `# a comment\n${text}`),
    spoilt('missing-comma', 'a comma left out', valid, (text) =>
      text.replace(/^\{/, '{"conformance":1 ').replace(/ \}$/, ' "more":1}'),
    ),
    spoilt('hexadecimal', 'a number in hexadecimal', valid, (text) => withMember(text, '0x1F')),
  ];
}

/** The most that a run sends to one operation: the first is not sent the comma twice. */
export const numberOfMalformedBodies: Count = countByProfile(malformedBodies(stock, 1));

function body(
  id: string,
  label: string,
  content: string | Buffer,
  contentType = 'application/json',
): UnusualBody {
  return { id, label, body: { bytes: Buffer.from(content as string), contentType } };
}

/** The valid body, or the stock one where the change leaves the valid one intact: an empty object holds nothing to quote. */
function spoilt(id: string, label: string, valid: string, spoil: (text: string) => string): UnusualBody {
  const text = spoil(valid.trim());
  return body(id, label, isJson(text) || text.trim() === '' ? spoil(stock) : text);
}

/** The text of an object with one more member, whose value need not be JSON. */
function withMember(text: string, value: string): string {
  return text.replace(/^\{/, () => `{"conformance":${value},`).replace(/,\}$/, '}');
}

/** One of the numbers with a leading zero, which a lenient reader ignores. */
function zeroBeforeNumber(text: string): string {
  const value = JSON.parse(text) as Json;
  const number = jsonLeaves(value).find((leaf) => typeof leaf.value === 'number');
  if (number === undefined) return withMember(text, '01');
  const digits = String(number.value).replace(/^-?/, '$&0');
  return jsonText(withJsonAt(value, number.path, numberAsWritten(digits)));
}

/** A backslash before a letter that has no meaning after one in JSON or JavaScript; a reader that drops it reads the valid body. */
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
