import { backwards } from '../../harness/checks/vary-body.ts';
import {
  isJsonList,
  isJsonMembers,
  type JsonMembers,
  type JsonPath,
  jsonAt,
  jsonLeaves,
  membersFrom,
  withJsonAt,
  withTexts,
} from '../../harness/fuzzing/json-places.ts';
import { escapedUnit, jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import { pointerOf } from '../../harness/json-pointers.ts';
import type { Json } from '../../harness/model/target.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { type BodyInput, keyOfBody, plainBody } from './fresh-bodies.ts';

/** A JSON body with unusual content, spelling or media type. */
export interface UnusualForm extends BodyInput {
  /** Names the kind, for leaving it out. */
  readonly class: string;
}

interface FormOptions extends Pick<UnusualForm, 'weight' | 'group'> {
  /** What changes, one place at a time, which the label names in place of its asterisk; the whole value if absent. */
  readonly each?: 'member' | 'text' | 'number';
  /** How the value is written; plainly if absent. */
  readonly encode?: (text: string) => string;
}

/** The media type, none if empty, and how a text becomes bytes. */
type SpellingRow = readonly [
  name: string,
  label: string,
  contentType: string,
  options?: FormOptions,
  encode?: (text: string) => string | Buffer,
];

/** What stands at the place; undefined for a member to leave out, or where the whole value has no such form. */
type ContentRow = readonly [
  name: string,
  label: string,
  change: (old: Json) => Json | undefined,
  options?: FormOptions,
];

/** Places of a kind, such as texts, that change one at a time. */
const mostPlaces = 3;
const json = 'application/json';
const letters = 'a'.repeat(300);
/** Three bytes each, so that a limit in bytes falls within one. */
const wideLetters = '€'.repeat(300);

/** Forms of a group go out in one body first. */
const spelling = { group: 'reverse order, white space and the charset UTF8' };
const mark = { group: 'a byte order mark and the charset UTF-16' };
const member = { group: 'several unusual members' };
const texts = { group: 'several kinds of unusual characters in texts' };
const nulls = { group: 'every member as null' };

const deep = { weight: 'low' } as const;
const always = { weight: 'high' } as const;
const eachMember = { each: 'member' } as const;
const eachText = { each: 'text' } as const;
const eachNumber = { each: 'number' } as const;
const oneOfTexts = { ...texts, ...eachText };
const escaped = { encode: inAscii };

const controls = '\u0000\u0001\u001b\u007f\r\n';
const markup = `<img src=x onerror=alert(1)>'";-- ' OR '1'='1 {{7*7}}\${7*7}%s\\ \u{1f455}\u202e`;

const unusualNumbers = {
  conformanceNumbers: ['1e400', '-1e400', '1e-400', '9007199254740993', '-0', '1.5'].map(numberAsWritten),
};
const deepMember = { conformanceDepth: nested(null, 2000) };
const prototypeMember = membersFrom([['__proto__', { conformance: true }]]);
const unusualMembers = {
  constructor: { prototype: { conformance: true } },
  toString: 1,
  hasOwnProperty: false,
  length: -1,
  conformanceList: Array.from({ length: 120 }, () => 0),
  '': 0,
  // Names that the contract gives to parts of a path.
  sessionId: 'conformance-unknown',
  slug: 'conformance-unknown',
  '$where.conformance[0]': '$ne',
  conformance: `<script>alert(1)</script>' OR '1'='1 {{7*7}}\${7*7} ../../etc/passwd`,
};

const spellings: readonly SpellingRow[] = [
  ['media-type', 'no content type', ''],
  ['media-type', 'text/plain', 'text/plain', deep],
  ['media-type', 'application/jsonl', 'application/jsonl', deep],
  ['media-type', 'a media type without a slash', 'json'],
  ['charset', 'the charset UTF8', `${json};charset=UTF8`, spelling],
  ['charset', 'the charset iso-8859-1', `${json}; charset=iso-8859-1`, deep],
  ['charset', 'UTF-16', `${json}; charset=utf-16`, mark, (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['byte-order-mark', 'a byte order mark', json, mark, (text) => `\ufeff${text}`],
  ['order', 'members in reverse order, between white space', `${json}; charset=utf-8`, spelling, indented],
  ['repeated-names', 'every member twice', json, {}, twice],
];

/**
 * A form combines changes where a permitted refusal of one does not hide another. Changes that break services at single
 * fields come one field at a time, at most at the first few fields. The three hundred letters are more than the 255 that a
 * column often holds, and less than what many validators refuse. They come first: what a service accepts may use up the
 * session of the call, and there are only so many.
 */
const contents: readonly ContentRow[] = [
  [
    'long-texts',
    'three hundred letters more in every sentence and address, in sentences of three bytes each',
    inTexts(longer),
    { weight: 'high' },
  ],
  // More than short columns hold, and less than what validators refuse.
  ['long-texts', 'seventy letters in every sentence', inTexts(ofLength(70))],
  ['long-texts', '140 letters in every sentence', inTexts(ofLength(140))],
  // As many as columns often hold, in letters; in bytes, three times as many.
  ['long-texts', '255 letters of three bytes each in every sentence', inTexts(filled)],
  ['missing-members', 'without *', () => undefined, eachMember],
  ['null-members', '* as null', () => null, { ...nulls, ...eachMember }],
  ['missing-members', 'an empty object', (valid) => (isJsonMembers(valid) ? {} : undefined)],
  ['names', 'every name in another case as well', withMembers(inOtherCase), member],
  ['deep-nesting', 'one more member of 2000 levels', withMembers(() => deepMember), member],
  ['prototype-names', 'a member __proto__', withMembers(() => prototypeMember), member],
  ['unknown-members', 'more members with unusual names', withMembers(() => unusualMembers), member],
  ['numbers', 'one more member with unusual numbers', withMembers(() => unusualNumbers), member],
  ['metacharacters', 'quotes, accents and an emoji in every sentence', inTexts(accented), member],
  ['metacharacters', 'accents and an emoji in every sentence, escaped', inTexts(accented), escaped],
  ['deep-nesting', 'every member nested a hundred levels deep', withMembers(nestedMembers)],
  ['control-characters', 'NUL and other control characters in *', appended(controls), oneOfTexts],
  ['metacharacters', 'markup, SQL, templates and an emoji in *', appended(markup), oneOfTexts],
  ['numbers', '-1 as *', () => numberAsWritten('-1'), { ...eachNumber, weight: 'high' }],
  ['numbers', '0 as *', () => numberAsWritten('0'), eachNumber],
  ['numbers', 'a fraction as *', () => numberAsWritten('1.5'), eachNumber],
  ['numbers', 'a number beyond 2^53 as *', () => numberAsWritten('9007199254740993'), eachNumber],
  ['numbers', 'a number beyond any double as *', () => numberAsWritten('1e400'), eachNumber],
  ['lone-surrogates', 'half a surrogate pair in *', appended('\ud800'), oneOfTexts],
  ['long-texts', 'ten thousand letters in every text', inTexts((text) => text.padEnd(10_000, 'a'))],
  // Beyond most columns, and within what reads before them.
  ['long-texts', 'three hundred letters as *', (text) => String(text).padEnd(300, 'a'), eachText],
  ['empty-texts', 'every text empty', inTexts(() => '')],
  ['blank-texts', 'white space for every text', inTexts(() => ' \t ')],
  ['addresses', 'a port beyond 65535 in every address', inTexts(atNoPort)],
  ['addresses', 'a placeholder, a query and a fragment in every address', inTexts(withPlaceholder)],
  ['addresses', 'words for every address', inTexts((text) => (isAddress(text) ? 'not an address' : text))],
  ['unknown-values', 'an unknown value as *', unknownFor, eachText],
  ['lists', 'an empty list for every list', (valid) => withLists(valid, () => [])],
  ['lists', 'a text for every member of a list', (valid) => withLists(valid, () => ['x'])],
  ['lists', 'null for every member of a list', (valid) => withLists(valid, () => [null])],
  ['lists', 'every member of a list twelve times', (valid) => withLists(valid, twelveTimes), always],
  ['types', 'a number for every text', inTexts(() => 1)],
  ['method-names', 'the name of a method of every object for every text', inTexts(() => 'constructor')],
  ['types', 'a time for every text', inTexts(() => '2024-02-29T12:30:00Z')],
  ['types', 'the text 0 for every text', inTexts(() => '0')],
  ['types', 'an empty object for every text', inTexts(() => ({}))],
  ['types', 'the valid body in a list', (valid) => [valid]],
];

/** Unusual forms of a valid body, one of each kind. */
export function unusualForms(valid: Json): readonly UnusualForm[] {
  const forms = [
    ...spellings.map(([name, label, contentType, options = {}, encode = String]): UnusualForm => {
      const write = (value: Json): RawBody => written(encode(jsonText(value)), contentType);
      return { class: name, id: label, label, value: valid, write, weight: 'medium', ...options };
    }),
    ...contents.flatMap((row) => formsOf(row, valid)),
  ];
  const keys = new Set<string>([keyOfBody({ value: valid, write: plainBody })]);
  return forms.filter((form) => {
    const key = keyOfBody(form);
    return !keys.has(key) && keys.add(key);
  });
}

function formsOf([name, pattern, change, options = {}]: ContentRow, valid: Json): readonly UnusualForm[] {
  const { each, encode, ...rest } = options;
  const write = encode === undefined ? plainBody : (value: Json) => written(encode(jsonText(value)), json);
  return placesOf(valid, each).flatMap(([place, ...path]) => {
    const put = change(jsonAt(valid, path) ?? null);
    if (put === undefined && each !== 'member') return [];
    const value = withJsonAt(valid, path, put);
    const label = pattern.replace('*', () => place);
    return { class: name, id: label, label, value, write, weight: 'medium', ...rest };
  });
}

/** Places in a value, each as people write it and as the way to it. */
function placesOf(
  valid: Json,
  each: FormOptions['each'],
): ReadonlyArray<readonly [place: string, ...path: JsonPath]> {
  if (each === undefined) return [['']];
  if (each === 'member') return isJsonMembers(valid) ? Object.keys(valid).map((name) => [name, name]) : [];
  const type = each === 'text' ? 'string' : 'number';
  const leaves = jsonLeaves(valid).filter(({ value }) => typeof value === type);
  return leaves.slice(0, mostPlaces).map(({ path }) => [pointerOf(path.map(String)), ...path]);
}

/** What the forms of each group change, in one body each; a service that accepts it need not be sent the single ones. */
export function combinedForms(valid: Json, forms: readonly UnusualForm[]): readonly UnusualForm[] {
  const combine = (
    { group }: { readonly group: string },
    value: (members: readonly UnusualForm[]) => Json,
    write = plainBody,
    planned: Planned = {},
  ): readonly UnusualForm[] => {
    const members = forms.filter((form) => form.group === group);
    const [first] = members;
    if (first === undefined || members.length === 1) return [];
    return [{ class: first.class, id: group, label: group, value: value(members), write, ...planned }];
  };
  return [
    ...combine(
      spelling,
      () => reversed(valid),
      (value) => written(`\r\n\t ${jsonText(value)}\r\n`, `${json}; charset=UTF8`),
      { weight: 'medium' },
    ),
    ...combine(
      mark,
      () => valid,
      (value) => written(`\ufeff${jsonText(value)}`, `${json}; charset=utf-16`),
      { weight: 'medium' },
    ),
    ...combine(nulls, () => membersFrom(Object.keys(valid as object).map((name) => [name, null]))),
    ...combine(member, joined),
    ...combine(texts, (members) => lengthened(valid, members)),
  ];
}

/** The members of all values. */
function joined(forms: readonly UnusualForm[]): Json {
  return membersFrom(forms.flatMap(({ value }) => (isJsonMembers(value) ? Object.entries(value) : [])));
}

/** The valid value with what each value appends to a text of it. */
function lengthened(valid: Json, forms: readonly UnusualForm[]): Json {
  return jsonLeaves(valid).reduce<Json>((whole, { path, value: text }) => {
    if (typeof text !== 'string') return whole;
    const suffixes = forms.map(({ value }) => String(jsonAt(value, path)).slice(text.length));
    return withJsonAt(whole, path, text + [...new Set(suffixes)].join(''));
  }, valid);
}

/** Kinds of bodies that a target file may leave out. */
export const bodyClasses: readonly string[] = [
  ...new Set([...unusualForms({ a: 'text', b: 1 }).map((form) => form.class), 'random']),
];

function written(text: string | Buffer, contentType: string): RawBody {
  return { bytes: Buffer.from(text as string), contentType: contentType === '' ? undefined : contentType };
}

function indented(text: string): string {
  return `\r\n\t ${JSON.stringify(reversed(JSON.parse(text) as Json), null, 2)}\r\n`;
}

/** In ASCII alone, as libraries of several languages write JSON. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, escapedUnit);
}

function twice(text: string): string {
  return text.startsWith('{') && text !== '{}' ? `${text.slice(0, -1)},${text.slice(1)}` : text;
}

/** The value with the members of all its objects in the opposite order. */
export function reversed(value: Json): Json {
  if (isJsonList(value)) return value.map(reversed);
  if (!isJsonMembers(value)) return value;
  const members = Object.entries(value).reverse();
  return membersFrom(members.map(([name, one]) => [name, reversed(one)]));
}

function inTexts(change: (text: string) => Json): (valid: Json) => Json {
  return (valid) => withTexts(valid, change);
}

/** Adds members to an object, or replaces them. */
function withMembers(change: (valid: JsonMembers) => JsonMembers): (valid: Json) => Json | undefined {
  return (valid) =>
    isJsonMembers(valid)
      ? membersFrom([...Object.entries(valid), ...Object.entries(change(valid))])
      : undefined;
}

function withLists(value: Json, change: (list: readonly Json[]) => readonly Json[]): Json {
  if (isJsonList(value)) return change(value.map((item) => withLists(item, change)));
  if (!isJsonMembers(value)) return value;
  return membersFrom(Object.entries(value).map(([name, one]) => [name, withLists(one, change)]));
}

function longer(text: string): string {
  // From the third byte on of each three, neither 255 nor 256 bytes, nor 1,000, end with a whole letter.
  const blanks = ' '.repeat(1 + ((4 - (Buffer.byteLength(text) % 3)) % 3));
  if (isSentence(text)) return `${text}${blanks}${wideLetters}`;
  return isAddress(text) ? `${text}${text.includes('?') ? '&' : '?'}conformance=${letters}` : text;
}

function ofLength(length: number): (text: string) => string {
  return (text) => (isSentence(text) ? `${text} `.padEnd(length, 'a') : text);
}

function filled(text: string): string {
  return isSentence(text) ? `${text} `.padEnd(255, wideLetters) : text;
}

/** A sentence with characters of several bytes; other texts stay as they are. */
export function accented(text: string): string {
  return isSentence(text) ? `${text} "é" \u{1f455}` : text;
}

/** Whether a value is a text that is rather written by people than an id. */
export function isSentence(value: Json): boolean {
  return typeof value === 'string' && /\S \S/.test(value);
}

function isAddress(text: string): boolean {
  return text.includes('://');
}

/** An address as shops write it that let their payment provider fill in an id. */
function withPlaceholder(text: string): string {
  return isAddress(text) ? `${text}${text.includes('?') ? '&' : '?'}order={id}&next=%2F#paid` : text;
}

/** An address that looks like one, at a port that there is not. */
function atNoPort(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:]+)(?::\d+)?/i, '$1:99999');
}

function appended(suffix: string): (text: Json) => string {
  return (text) => `${text}${suffix}`;
}

function unknownFor(text: Json): Json | undefined {
  return isAddress(String(text)) ? undefined : backwards(String(text));
}

function twelveTimes(list: readonly Json[]): readonly Json[] {
  return Array.from({ length: 12 }, () => list).flat();
}

function inOtherCase(valid: JsonMembers): JsonMembers {
  const other = (name: string): string =>
    name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  return membersFrom(Object.entries(valid).map(([name, value]) => [other(name), value]));
}

function nestedMembers(valid: JsonMembers): JsonMembers {
  return membersFrom(Object.entries(valid).map(([name, value]) => [name, nested(value, 100)]));
}

function nested(value: Json, levels: number): Json {
  let whole = value;
  for (let level = 0; level < levels; level += 1) whole = level % 2 === 0 ? [whole] : { a: whole };
  return whole;
}
