import { jsonKind } from '../../harness/evidence/json-syntax.ts';
import { jsonLeaves, withJsonAt } from '../../harness/fuzzing/json-places.ts';
import { jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import type { Json } from '../../harness/model/target.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { countByProfile, type StepPlan } from '../../harness/sampling/step-plan.ts';
import type { UnusualBody } from './refused-bodies.ts';

/** Stands in for a valid body that is unknown or too small to be changed. */
const stock = '{"a":1}';

/** Leniencies of parsers that each operation is sent in turn. */
const mostInTurn = 2;

/** The content, or how the valid body is spoilt; under `application/json` by default. */
type MalformedRow = readonly [
  id: string,
  label: string,
  content: string | Buffer | ((valid: string) => string),
  contentType?: string,
];

/** What no reader of JSON may take for JSON; a quick run sends the first ones, one to each operation. */
const never: readonly MalformedRow[] = [
  ['truncated', 'JSON without its last character', (text) => text.slice(0, -1)],
  [
    'xml',
    'XML under its own media type',
    '<?xml version="1.0" encoding="UTF-8"?><request/>',
    'application/xml',
  ],
  ['binary', 'bytes that are not text', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x1f, 0x8b])],
  ['form-as-json', 'a form called JSON', asForm],
  ['text', 'plain text', 'this is not JSON'],
  ['parts', 'parts without a boundary', '--a\r\n\r\nb\r\n--a--\r\n', 'multipart/form-data'],
  ['blank', 'whitespace only', ' \r\n\t'],
  ['deep', '20,000 opening brackets', '['.repeat(20_000)],
  // Binders that choose a decoder by the media type may have one that is not set up.
  ['cbor', 'CBOR under its own media type', Buffer.from([0xa0]), 'application/cbor'],
];

/** What a lenient reader understands (RFC 8259, section 9), made from the valid body, so that it then shows as 200. */
const lenient: readonly MalformedRow[] = [
  ['trailing-comma', 'a comma after the last member', (text) => `${text.slice(0, -1)},${text.slice(-1)}`],
  ['single-quotes', 'single quotes for double ones', (text) => text.replaceAll('"', "'")],
  ['unquoted-names', 'names without quotes', (text) => text.replace(/"([A-Za-z_]\w*)"(\s*:)/g, '$1$2')],
  ['comment', 'a comment', (text) => `/* a comment */ ${text}`],
  ['nan', 'a number NaN', (text) => withMember(text, 'NaN')],
  ['zero-before-number', 'a zero before a number', zeroBeforeNumber],
  ['bare-tab', 'a bare tab in a text', (text) => withMember(text, '"a\tb"')],
  ['unknown-escape', 'an unknown escape', unknownEscape],
  ['extra-brace', 'a closing brace too many, on a line of its own', (text) => `${text}\n}`],
  ['json-lines', 'two JSON texts, each on a line of its own', (text) => `${text}\n${text}`],
  ['form', 'a form under its own media type', asForm, 'application/x-www-form-urlencoded'],
];

/** What few readers accept. One reader serves all operations, so that each is sent some of these. */
const rare: readonly MalformedRow[] = [
  ['nul-after-end', 'a NUL and more after the end', (text) => `${text}\0x`],
  ['no-break-space', 'a no-break space before the first name', (text) => text.replace(/^\{/, '{\u00a0')],
  ['none-value', 'the word None as a value', (text) => withMember(text, 'None')],
  ['hash-comment', 'a comment behind a hash sign', (text) => `# a comment\n${text}`],
  [
    'missing-comma',
    'a comma left out',
    (text) => text.replace(/^\{/, '{"conformance":1 ').replace(/ \}$/, ' "more":1}'),
  ],
  ['hexadecimal', 'a number in hexadecimal', (text) => withMember(text, '0x1F')],
];

/**
 * Bodies that the grammar of JSON (RFC 8259) does not allow. Byte order marks, repeated names and bytes within a string that
 * are not UTF-8 are absent, as the RFC leaves these to the reader. What the contract has refused in any case comes first.
 */
export function malformedBodies(valid: string = stock, nth = 0): readonly UnusualBody[] {
  const inTurn = [
    ...shareOf(never, nth, 1),
    ...[...lenient.slice(0, 1), ...rare].slice(nth * mostInTurn, (nth + 1) * mostInTurn),
  ];
  return [...new Set([...never, ...lenient, ...inTurn])].map((row) => {
    const [id, label, content, contentType = 'application/json'] = row;
    const bytes = Buffer.from((typeof content === 'function' ? spoilt(valid, content) : content) as string);
    const body: UnusualBody = { id, label, body: { bytes, contentType } };
    return inTurn.includes(row) ? body : { ...body, weight: 'medium' };
  });
}

/** Bodies that no reader may take for JSON, by id. */
export const neverJson: ReadonlySet<string> = new Set(never.map(([id]) => id));

/** The most that a run sends to one operation: the first is not sent the comma twice. */
export const plannedBodies: StepPlan = { times: countByProfile(malformedBodies(stock, 1)) };

/** The valid body, or the stock one where the change leaves the valid one intact: an empty object holds nothing to quote. */
function spoilt(valid: string, spoil: (text: string) => string): string {
  const text = spoil(valid.trim());
  return jsonKind(text) !== 'malformed' || text.trim() === '' ? spoil(stock) : text;
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

/** The members of an object as a browser's form would send them. */
function asForm(text: string): string {
  const members = Object.entries((JSON.parse(text) ?? {}) as object);
  const written = (one: unknown): string => (typeof one === 'object' ? JSON.stringify(one) : String(one));
  return new URLSearchParams(members.map(([name, one]): [string, string] => [name, written(one)])).toString();
}
