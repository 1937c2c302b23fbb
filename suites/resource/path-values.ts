import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Input } from '../../harness/checks/probe-inputs.ts';
import {
  decodedSegment,
  isStructural,
  type SegmentToken,
  tokensOf,
} from '../../harness/fuzzing/path-segment.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { kindOf } from './path-value-cause.ts';

/** A string for a path parameter, of a kind that real services answer wrongly. */
export interface PathValue extends Input {
  /** Names the kind, for leaving it out: the id, but for those of several values. */
  readonly class: string;
  /** As it goes out, made from the known value's percent-encoding, or from the name of the parameter. */
  readonly raw: (known: string, name?: string) => string;
  /** Names no resource in any service: an exact look-up cannot find one by it. */
  readonly isNoName?: true;
  /** A quick run sends it and all groups in one value. Not for what may lead to another route, where any refusal passes. */
  readonly joins?: true;
  /** A quick run sends one of these to each path parameter, in turn. */
  readonly inTurn?: true;
  /** One reader serves many operations, or few services know the value: a standard run sends each to some parameters. */
  readonly isShared?: true;
  /** Which other values are of its class, where its special characters and its length do not tell. */
  readonly like?: (raw: string, known: string) => boolean;
}

/** The id of the name of the prototype. */
export const prototypeValue = 'proto';

/** The id of the known value with all characters encoded. */
export const encodedKnown = 'encoded-known';

/** Whether a value of a call names nothing, by its id. */
export function isNoName(id: unknown): boolean {
  return pathValues.some((value) => value.id === id && value.isNoName === true);
}

type Rest = Partial<Omit<PathValue, 'id' | 'label' | 'raw'>>;

/** Values that a service either looks up or refuses, and that can be tested in one; by what reports call the combination. */
const meaningful: Rest = { group: 'characters with a meaning elsewhere', weight: 'high' };
const scripts: Rest = { group: 'characters of many scripts', weight: 'high' };
const controls: Rest = { group: 'control characters and line breaks', weight: 'high' };
/** What reports call the groups in one, and the values of a quick run in one. */
const manyKinds = 'characters of many kinds';
const allKinds = 'characters of all kinds';
const joins: Rest = { joins: true };
const inTurn: Rest = { inTurn: true };
const shared: Rest = { isShared: true, weight: 'low' };
/** Values that a comparison of another type matches with every name, or with the first. */
const loose: Rest = { isNoName: true };
const sharedLoose: Rest = { ...shared, ...loose };
/** Placeholders that a client forgot to fill in. */
const placeholder: Rest = { class: 'template', ...loose };
const sharedPlaceholder: Rest = { ...shared, ...placeholder };
const whiteSpace: Rest = { class: 'white-space' };
const routeWord: Rest = { class: 'route-word', ...shared };

/** Shared values that each parameter gets. */
const sharedEach = 2;

/** A value as it goes out; `{known}` stands for the known one, and `{name}` for the name of the parameter. */
function value(id: string, label: string, raw: string | PathValue['raw'], rest: Rest = {}): PathValue {
  const write: PathValue['raw'] = (known, name = 'id') =>
    typeof raw === 'string' ? raw.replaceAll('{known}', () => known).replaceAll('{name}', name) : raw(known);
  return { id, class: id, label, raw: write, weight: 'medium', ...rest };
}

/** At least one of each kind; kinds share a value where who mishandles one mishandles the other, and no refusal hides one. */
export const pathValues: readonly PathValue[] = [
  value('nul', 'NUL in the middle and at the end', '{known}%00x%00', joins),
  value('control', 'control characters', '{known}%09%01%08%1B%7F%C2%85', controls),
  value('line-break', 'line break', '{known}%0D%0Ax-conformance:%201', controls),
  value('quotes', 'quotes', '{known}%27%22', meaningful),
  value('backslash', 'backslashes', '{known}%5Cu%5Cx%5C'),
  value('sql', 'SQL', '{known}%27%20OR%20%271%27%3D%271', meaningful),
  // Behind the file pattern, whose bracket would close the one that is left open here.
  value('glob', 'characters of file patterns', encoded('*.{js,ts}[!a]'), meaningful),
  value('pattern', 'characters of regular expressions', encoded('[(*+?^|'), meaningful),
  value('template', 'characters of templates', encoded('$' + '{7*7}#{7}{{7*7}}<%=7*7%>'), meaningful),
  value('shell', 'characters of shells', encoded(';`id`|$(id)&&id'), meaningful),
  value('markup', 'HTML', encoded('<img src=x onerror=alert(1)>'), meaningful),
  value('query-characters', 'question mark and number sign', '{known}%3Fa%3Db%23c', meaningful),
  value('encoded-slash', 'encoded slash', '{known}%2F{known}', inTurn),
  // What decodes the path and merges its slashes finds the known value.
  value('leading-slash', 'encoded slash before the known value', '%2F{known}', {
    class: 'encoded-slash',
    ...shared,
  }),
  value('encoded-dot-segment', 'encoded dot segment', '%2e%2e', { class: 'dot-segment', weight: 'low' }),
  value('dot-segment', 'dot segment', '..', shared),
  value('dot', 'encoded dot', '%2e', { weight: 'low' }),
  value('traversal', 'encoded path to a file', '..%2F..%2F..%2Fetc%2Fpasswd', shared),
  value('malformed', 'malformed percent-encoding', '{known}%zz%', inTurn),
  value('not-encoded', 'characters that ought to be encoded', `{known}"<>|^\`{}\\`, shared),
  value('empty', 'empty segment', '', shared),
  value('percent-sign', 'percent signs, encoded twice', '100%25.%252F%2500', meaningful),
  // At the end: what follows a semicolon may be left out, and an extension is looked for there.
  value(
    'reserved',
    'characters with a meaning in URLs, not encoded',
    '{known};v=1,c=$&+!*()~--@b:80',
    meaningful,
  ),
  value(
    'encoded-suffix',
    'known value with an encoded semicolon and the extension of a format that nobody asked for',
    '{known}%3Bv=1.xml',
    { class: 'suffix', ...meaningful },
  ),
  value('not-utf-8', 'bytes that are not UTF-8', 'a%FF%C0%AFb%80', inTurn),
  value('surrogate', 'lone surrogate', '%ED%A0%80x'),
  value('astral', 'emoji', encoded('shirt-👍🏽👩\u200d👧'), scripts),
  value('not-normalised', 'letters with combining marks', encoded('cafe\u0301-a\u030a\u0323'), scripts),
  value('outside-ascii', 'letters outside ASCII', encoded('café straße\u00a0İı-中文-ﬁ'), scripts),
  value('full-width', 'known value in full-width letters', fullWidth),
  value('homoglyph', 'known value with a letter of another script', homoglyph),
  value('right-to-left', 'right-to-left override', '%E2%80%AE{known}', scripts),
  value(
    'zero-width',
    'zero-width characters and a line separator',
    '{known}%e2%80%8b%ef%bb%bf%e2%80%a8',
    scripts,
  ),
  value('blank', 'space alone', '%20', inTurn),
  value('between-spaces', 'known value between spaces', '%20{known}%20', whiteSpace),
  value('trailing-space', 'known value and a space', '{known}%20', whiteSpace),
  // Some patterns accept it only at the end.
  value('line-feed', 'known value and a line feed', '{known}%0A', { class: 'line-break' }),
  value('length-64', '64 letters', 'a'.repeat(64)),
  value('long', '256 letters', 'a'.repeat(256), inTurn),
  value('longer', '1024 letters', 'a'.repeat(1024), { weight: 'low' }),
  value('very-long', '4096 letters', 'a'.repeat(4096), joins),
  value('one-character', 'one letter', 'a', { weight: 'low', like: (raw) => tokensOf(raw).length === 1 }),
  value('zero', 'number 0', '0', loose),
  value('negative-number', 'number -1', '-1', { ...inTurn, ...loose, like: (raw) => /^-\d/.test(raw) }),
  value('exponent', 'number with an exponent', '1e999', {
    ...loose,
    like: (raw) => /^-?\d[\d.]*e/i.test(raw),
  }),
  value('large-number', 'number of 20 digits', '99999999999999999999', {
    ...inTurn,
    like: (raw) => /^-?\d{16}/.test(raw),
  }),
  value('uuid', 'UUID', '00000000-0000-0000-0000-000000000000', {
    ...inTurn,
    ...loose,
    like: (raw) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}/i.test(raw),
  }),
  value('date', 'date', '2024-02-30', { like: (raw) => /^\d{4}-\d\d-\d\d/.test(raw) }),
  value('null', 'word null', 'null', { ...inTurn, ...loose }),
  value('undefined', 'word undefined', 'undefined', sharedLoose),
  value('true', 'word true', 'true', sharedLoose),
  value('nan', 'word NaN', 'NaN', sharedLoose),
  value('zeros', 'number 0 with a fraction and an exponent', '0.0e0', sharedLoose),
  value('empty-list', 'empty list', '%5B%5D', { class: 'glob', ...shared, ...loose }),
  value('any', 'asterisk alone', '*', { class: 'glob', ...shared, ...loose }),
  value('any-text', 'percent sign alone', '%25', { class: 'percent-sign', ...shared, ...loose }),
  value('hyphen', 'hyphen alone', '-', sharedLoose),
  value('placeholder', 'name of the parameter in braces', '%7B{name}%7D', placeholder),
  value('colon', 'name of the parameter behind a colon', ':{name}', sharedPlaceholder),
  value('angle', 'name of the parameter in angle brackets', '%3C{name}%3E', sharedPlaceholder),
  value('example', 'word example', 'example', { ...routeWord, isNoName: true }),
  value('constructor', 'word constructor', 'constructor', inTurn),
  value(prototypeValue, 'word __proto__', '__proto__', inTurn),
  value('to-string', 'word toString', 'toString', { weight: 'low' }),
  value('length', 'word length', 'length', { weight: 'low' }),
  value('device', 'name of a device of Windows', 'con'),
  value('punycode', 'name in Punycode', 'xn--80ak6aa92e'),
  value('products', 'word of a route', 'products', routeWord),
  value('search', 'word for a search', 'search', routeWord),
  value('current', 'word for the newest', 'current', routeWord),
  value('new', 'word for a form', 'new', routeWord),
  value('edit', 'word for another form', 'edit', routeWord),
  value('object-id', '24 hexadecimal digits', '507f1f77bcf86cd799439011', shared),
  value('other-case', 'known value in the other case', swapCase, {
    like: (raw, known) => raw.toLowerCase() === known.toLowerCase(),
  }),
  value('suffix', 'known value with a file extension', '{known}.json', inTurn),
  value('image', 'known value with the extension of an image', '{known}.png', { class: 'suffix' }),
  value('trailing-dot', 'known value between dots', '.{known}.'),
  value('prefix', 'known value with something before', 'x-{known}', {
    weight: 'low',
    like: (raw, known) => raw.endsWith(known),
  }),
  value('cut', 'known value without its last character', (known) => tokensOf(known).slice(0, -1).join(''), {
    like: (raw, known) => known.startsWith(raw),
  }),
  value(
    'encoded-twice',
    'known value with its first character encoded twice',
    (known) =>
      changeLetters(known, (letters) => letters.replace(/^\w/, (one) => `%25${hexOf(one).slice(1)}`)),
    { class: 'percent-sign' },
  ),
  // Hexadecimal digits in small letters are equal to capitals (RFC 3986, section 6.2.2.1).
  value(encodedKnown, 'known value with all characters encoded', (known) =>
    changeLetters(known, (letters) =>
      letters.replace(/[\x21-\x7e]/g, (one, at: number) =>
        at % 2 === 0 ? hexOf(one) : hexOf(one).toLowerCase(),
      ),
    ),
  ),
];

/**
 * Values and what joins them, in the order of sending: in a quick run all kinds in one, the nth first, as what follows the
 * known value, and what a value ends with, may count, and one value in turn; then the groups in one, then each of them, but in a
 * deep run all values apart. A standard run sends some of those that parameters share.
 */
export function corpusOf(values: readonly PathValue[], nth: number): readonly PathValue[] {
  const groups = [scripts, controls, meaningful].map(({ group = '' }) => {
    const members = values.filter((value) => value.group === group);
    return { members, ...joined(group, members), group: manyKinds, joined: 'group' as const };
  });
  const grouped = groups.flatMap(({ members }) => members);
  const kinds = values.filter((value) => value.group !== undefined || value.joins === true);
  const first = nth % kinds.length;
  const all = joined(allKinds, [...kinds.slice(first), ...kinds.slice(0, first)]);
  const alone = values.filter((value) => value.inTurn === true);
  const turn = alone[nth % alone.length];
  const shares = values.filter(({ isShared }) => isShared === true);
  const some = shareOf(shares, nth, sharedEach);
  const single = values.map((value): PathValue => {
    if (value === turn) return { ...value, weight: 'high' };
    if (value.joins === true) return { ...value, weight: 'high', group: allKinds };
    return some.includes(value) ? { ...value, weight: 'medium' } : value;
  });
  const many = { ...joined(manyKinds, grouped), joined: 'group', group: allKinds } as const;
  return [{ ...all, joined: 'all' }, many, ...groups, ...single];
}

function joined(id: string, members: readonly PathValue[]): PathValue {
  const raw = (known: string): string => known + members.map((one) => one.raw('')).join('');
  return { id, class: id, label: id, raw };
}

/**
 * Whether a value is of the class of another: one that the class names, as long, the same, or with a character of a
 * kind that is special about the class and that the known value does not have.
 */
export function isOfKind(raw: string, kind: PathValue, known: string = 'a'): boolean {
  if (kind.like?.(raw, known) === true) return true;
  const model = kind.raw('a');
  const marks = marksOf(kind);
  const length = tokensOf(model).length;
  if (marks.size === 0) return length >= 64 ? tokensOf(raw).length >= length : raw === kind.raw(known);
  const own = new Set(tokensOf(known));
  return (
    tokensOf(raw).some((token) => !own.has(token) && !isPlain(token) && marks.has(markOf(token))) ||
    (isStructural(raw) && isStructural(model))
  );
}

/** The class of a value that was made up: the one with the fewest special characters, the longest of these; undefined for a plain value. */
export function classLike(raw: string, known: string): string | undefined {
  return pathValues
    .filter((kind) => isOfKind(raw, kind, known))
    .sort((a, b) => marksOf(a).size - marksOf(b).size || lengthOf(b) - lengthOf(a))[0]?.class;
}

/** Whether the target file excludes a value of a path parameter, by any of its classes. */
export function isExcludedValue(client: CaseClient, name: string, raw: string, known: string): boolean {
  return (
    client.hasExclusions &&
    pathValues.some((kind) => isOfKind(raw, kind, known) && client.excludes(kind.class, name))
  );
}

/** Whether the user excluded the class of the value in a query such as `page=%zz`. */
export function isExcludedQuery(client: CaseClient, query: string | undefined): boolean {
  return isExcludedValue(client, 'query', query?.split(/=(.*)/s, 2)[1] ?? '', '');
}

function lengthOf({ raw }: PathValue): number {
  return tokensOf(raw('a')).length;
}

/** Kinds of the characters that are special about a class. */
function marksOf({ raw }: PathValue): ReadonlySet<string> {
  return new Set(
    tokensOf(raw('a'))
      .filter((token) => !isPlain(token))
      .map(markOf),
  );
}

function isPlain(token: SegmentToken): boolean {
  return /^[A-Za-z0-9-]$/.test(token);
}

/** The kind of a special character; a plain one that is encoded is a kind of its own. */
function markOf(token: SegmentToken): string {
  return kindOf(token) ?? (isPlain(decodedSegment(token)) ? 'encoded' : decodedSegment(token));
}

/** A text as it stands in a path, without any character that has a meaning elsewhere. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, hexOf);
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Changes what is not percent-encoded. */
function changeLetters(known: string, change: (letters: string) => string): string {
  return known.replace(/%[0-9a-f]{2}|[^%]+/gi, (part) => (part.startsWith('%') ? part : change(part)));
}

/** Upper case, or lower where there was nothing else. */
function swapCase(known: string): string {
  const upper = changeLetters(known, (letters) => letters.toUpperCase());
  return upper === known ? changeLetters(known, (letters) => letters.toLowerCase()) : upper;
}

/** Normalises to the known value by compatibility (NFKC), and to nothing like it otherwise. */
function fullWidth(known: string): string {
  return changeLetters(known, (letters) =>
    encodeURIComponent(letters.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))),
  );
}

/** Latin letters and the Cyrillic ones that look the same. */
const [latin, lookAlikes] = ['aceopxy', 'асеорху'];

function homoglyph(known: string): string {
  const changed = changeLetters(known, (letters) =>
    letters.replace(/[aceopxy]/g, (letter) => encodeURIComponent(lookAlikes[latin.indexOf(letter)] ?? '')),
  );
  return changed === known ? `${known}%D0%B0` : changed;
}
