import {
  isJsonList,
  isJsonMembers,
  type JsonMembers,
  jsonAt,
  jsonLeaves,
  membersFrom,
  withJsonAt,
  withTexts,
} from '../../harness/fuzzing/json-places.ts';
import { jsonText, numberAsWritten } from '../../harness/fuzzing/json-text.ts';
import type { Json } from '../../harness/model/target.ts';
import { pointerOf } from '../../harness/openapi/json-pointers.ts';
import { jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import type { ProfileRange } from '../../harness/sampling/profile.ts';

/** A JSON body with unusual content, spelling or media type. */
export interface UnusualForm extends ProfileRange {
  /** Names the kind, also for leaving it out. */
  readonly class: string;
  /** What is unusual, in a word or two; also its value in the row of a call. */
  readonly what: string;
  readonly value: Json;
  /** How a value of this form goes out; the same change for smaller values. */
  readonly write: (value: Json) => RawBody;
  /** Forms of a group go out in one body first. */
  readonly group?: FormGroup;
}

type FormGroup = 'spelling' | 'mark' | 'members' | 'texts';

const letters = 'a'.repeat(300);

/** Places of a kind, such as texts, that change one at a time. */
const mostPlaces = 3;

const json = 'application/json';
const unusualTexts: ReadonlyArray<readonly [name: string, what: string, change: (text: string) => string]> = [
  ['control-characters', 'NUL and other control characters', (text) => `${text}\u0000\u0001\u001b\u007f\r\n`],
  [
    'metacharacters',
    'markup, SQL, templates and an emoji',
    (text) => `${text}<img src=x onerror=alert(1)>'";-- ' OR '1'='1 {{7*7}}\${7*7}%s\\ \u{1f455}\u202e`,
  ],
];
const unusualNumbers: ReadonlyArray<readonly [what: string, digits: string]> = [
  ['-1', '-1'],
  ['0', '0'],
  ['a fraction', '1.5'],
  ['a number beyond 2^53', '9007199254740993'],
  ['a number beyond any double', '1e400'],
];

/**
 * Unusual forms of a valid body, one of each kind. A form combines changes where a permitted refusal of one does not hide
 * another. Changes that break services at single fields come one field at a time, at most at the first few fields.
 */
export function unusualForms(valid: Json): readonly UnusualForm[] {
  const forms = [...withOtherSpelling(valid), ...withOtherContent(valid)].map(
    (form): UnusualForm => ({ from: 'standard', ...form }),
  );
  const written = new Set<string>([keyOf(jsonBody(valid))]);
  return forms.filter(({ value, write }) => {
    const key = keyOf(write(value));
    return !written.has(key) && written.add(key);
  });
}

/** What several forms change, in one body each; a service that accepts it need not be sent the single ones. */
export function combinedForms(valid: Json, forms: readonly UnusualForm[]): readonly UnusualForm[] {
  const groups = new Map<FormGroup, UnusualForm[]>();
  for (const form of forms)
    if (form.group !== undefined) groups.set(form.group, [...(groups.get(form.group) ?? []), form]);
  return [...groups].flatMap(([group, members]) => {
    const [first] = members;
    if (first === undefined || members.length === 1) return [];
    const rest = { class: first.class, what: whatOfGroup[group], group, from: 'quick' as const };
    if (group === 'members') return { ...rest, value: joined(members), write: plainBody };
    if (group === 'texts') return { ...rest, value: lengthened(valid, members), write: plainBody };
    const isMark = group === 'mark';
    const value = isMark ? valid : reversed(valid);
    const contentType = `${json}; charset=${isMark ? 'utf-16' : 'UTF8'}`;
    const write = (smaller: Json): RawBody => ({
      bytes: isMark ? utf8(`\ufeff${jsonText(smaller)}`) : utf8(`\r\n\t ${jsonText(smaller)}\r\n`),
      contentType,
    });
    return { ...rest, value, write };
  });
}

const whatOfGroup: Readonly<Record<FormGroup, string>> = {
  spelling: 'reverse order, white space and the charset UTF8',
  mark: 'a byte order mark and the charset UTF-16',
  members: 'several unusual members',
  texts: 'several kinds of unusual characters in texts',
};

/** The members of all values. */
function joined(forms: readonly UnusualForm[]): Json {
  return membersFrom(forms.flatMap(({ value }) => (isJsonMembers(value) ? Object.entries(value) : [])));
}

/** The valid value with what each value appends to a text of it. */
function lengthened(valid: Json, forms: readonly UnusualForm[]): Json {
  return jsonLeaves(valid).reduce<Json>((whole, { path, value: text }) => {
    if (typeof text !== 'string') return whole;
    const appended = forms.map(({ value }) => String(jsonAt(value, path)).slice(text.length));
    return withJsonAt(whole, path, text + [...new Set(appended)].join(''));
  }, valid);
}

/** Kinds of bodies that a target file may leave out. */
export const bodyClasses: readonly string[] = [
  ...new Set([...unusualForms({ a: 'text', b: 1 }).map((form) => form.class), 'random']),
];

function keyOf({ bytes, contentType }: RawBody): string {
  return `${contentType} ${bytes.toString('latin1')}`;
}

/** A value in its usual spelling and media type. */
export function plainBody(value: Json): RawBody {
  return { bytes: Buffer.from(jsonText(value)), contentType: json };
}

function withOtherSpelling(valid: Json): readonly UnusualForm[] {
  const as = (name: string, what: string, contentType: string | undefined, encode = utf8): UnusualForm => ({
    class: name,
    what,
    value: valid,
    write: (value) => ({ bytes: encode(jsonText(value)), contentType }),
  });
  return [
    as('media-type', 'no content type', undefined),
    { ...as('media-type', 'text/plain', 'text/plain'), from: 'deep' },
    { ...as('media-type', 'application/jsonl', 'application/jsonl'), from: 'deep' },
    as('media-type', 'a media type without a slash', 'json'),
    { ...as('charset', 'the charset UTF8', `${json};charset=UTF8`), group: 'spelling' },
    { ...as('charset', 'the charset iso-8859-1', `${json}; charset=iso-8859-1`), from: 'deep' },
    {
      ...as('charset', 'UTF-16', `${json}; charset=utf-16`, (text) =>
        Buffer.from(`\ufeff${text}`, 'utf16le'),
      ),
      group: 'mark',
    },
    { ...as('byte-order-mark', 'a byte order mark', json, (text) => utf8(`\ufeff${text}`)), group: 'mark' },
    {
      group: 'spelling',
      class: 'order',
      what: 'members in reverse order, between white space',
      value: reversed(valid),
      write: (value) => ({
        bytes: utf8(`\r\n\t ${JSON.stringify(JSON.parse(jsonText(value)), null, 2)}\r\n`),
        contentType: `${json}; charset=utf-8`,
      }),
    },
    as('repeated-names', 'every member twice', json, (text) =>
      utf8(text.startsWith('{') && text !== '{}' ? `${text.slice(0, -1)},${text.slice(1)}` : text),
    ),
  ];
}

function utf8(text: string): Buffer {
  return Buffer.from(text);
}

/** The value with the members of all its objects in the opposite order. */
export function reversed(value: Json): Json {
  if (isJsonList(value)) return value.map(reversed);
  if (!isJsonMembers(value)) return value;
  return membersFrom(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function withOtherContent(valid: Json): readonly UnusualForm[] {
  const plain = (name: string, what: string, value: Json): UnusualForm => ({
    class: name,
    what,
    value,
    write: plainBody,
  });
  const members = isJsonMembers(valid) ? valid : undefined;
  const leaves = jsonLeaves(valid);
  const places = (type: string): typeof leaves =>
    leaves.filter(({ value }) => typeof value === type).slice(0, mostPlaces);
  return [
    // More than the 255 that a column often holds, and less than what many validators refuse. It comes first: what a service
    // accepts may use up the session of the call, and there are only so many.
    plain(
      'long-texts',
      'three hundred letters more in every sentence and address',
      withTexts(valid, (text) =>
        isSentence(text) ? `${text} ${letters}` : isAddress(text) ? withQuery(text) : text,
      ),
    ),
    ...(members === undefined ? [] : withOtherMembers(members, plain)),
    ...unusualTexts.flatMap(([name, what, change]) =>
      places('string').map(({ path, value }) => ({
        ...plain(
          name,
          `${what} in ${pointerOf(path.map(String))}`,
          withJsonAt(valid, path, change(String(value))),
        ),
        group: 'texts' as const,
      })),
    ),
    ...unusualNumbers.flatMap(([what, digits]) =>
      places('number').map(({ path }) => ({
        ...plain(
          'numbers',
          `${what} as ${pointerOf(path.map(String))}`,
          withJsonAt(valid, path, numberAsWritten(digits)),
        ),
        ...(digits === '-1' && { from: 'quick' as const }),
      })),
    ),
    {
      ...plain(
        'lone-surrogates',
        'half a surrogate pair in every text',
        withTexts(valid, (text) => `${text}\ud800`),
      ),
      group: 'texts',
    },
    {
      ...plain(
        'long-texts',
        'ten thousand letters in every text',
        withTexts(valid, (text) => text.padEnd(10_000, 'a')),
      ),
      group: 'texts',
    },
    plain(
      'empty-texts',
      'every text empty',
      withTexts(valid, () => ''),
    ),
    {
      ...plain(
        'blank-texts',
        'white space for every text',
        withTexts(valid, () => ' \t '),
      ),
      from: 'deep',
    },
    plain(
      'addresses',
      'words for every address',
      withTexts(valid, (text) => (isAddress(text) ? 'not an address' : text)),
    ),
    ...places('string')
      .filter(({ value }) => !isAddress(String(value)))
      .map(({ path, value }) =>
        plain(
          'unknown-values',
          `an unknown value as ${pointerOf(path.map(String))}`,
          withJsonAt(valid, path, [...String(value)].reverse().join('')),
        ),
      ),
    plain(
      'lists',
      'an empty list for every list',
      withLists(valid, () => []),
    ),
    {
      ...plain(
        'lists',
        'every member of a list twelve times',
        withLists(valid, (list) => Array.from({ length: 12 }, () => list).flat()),
      ),
      from: 'quick',
    },
    plain(
      'types',
      'a number for every text',
      withTexts(valid, () => 1),
    ),
    plain(
      'types',
      'an empty list for every text',
      withTexts(valid, () => []),
    ),
    plain(
      'types',
      'an empty object for every text',
      withTexts(valid, () => ({})),
    ),
    plain('types', 'the valid body in a list', [valid]),
  ];
}

function withOtherMembers(
  valid: JsonMembers,
  plain: (name: string, what: string, value: Json) => UnusualForm,
): readonly UnusualForm[] {
  const names = Object.keys(valid);
  const inOtherCase = names.map((name): [string, Json] => [otherCase(name), valid[name] ?? null]);
  return [
    ...names.map((name) => plain('missing-members', `without ${name}`, withJsonAt(valid, [name], undefined))),
    ...names.map((name) => plain('null-members', `${name} as null`, withJsonAt(valid, [name], null))),
    plain('missing-members', 'an empty object', {}),
    ...[
      plain('names', 'every name in another case as well', { ...valid, ...membersFrom(inOtherCase) }),
      plain('deep-nesting', 'one more member of 2000 levels', {
        ...valid,
        conformanceDepth: nested(null, 2000),
      }),
      plain(
        'prototype-names',
        'a member __proto__',
        membersFrom([...Object.entries(valid), ['__proto__', { conformance: true }]]),
      ),
      plain('unknown-members', 'more members with unusual names', {
        ...valid,
        constructor: { prototype: { conformance: true } },
        toString: 1,
        hasOwnProperty: false,
        length: -1,
        conformanceList: Array.from({ length: 120 }, () => 0),
        '': 0,
        '$where.conformance[0]': '$ne',
        conformance: `<script>alert(1)</script>' OR '1'='1 {{7*7}}\${7*7} ../../etc/passwd`,
      }),
      plain('numbers', 'one more member with unusual numbers', {
        ...valid,
        conformanceNumbers: ['1e400', '-1e400', '1e-400', '9007199254740993', '-0', '1.5'].map(
          numberAsWritten,
        ),
      }),
      plain(
        'metacharacters',
        'quotes, accents and an emoji in every sentence',
        withTexts(valid, (text) => (isSentence(text) ? `${text} "é" \u{1f455}` : text)),
      ),
    ].map((form) => ({ ...form, group: 'members' as const })),
    plain(
      'deep-nesting',
      'every member nested a hundred levels deep',
      membersFrom(names.map((name) => [name, nested(valid[name] ?? null, 100)])),
    ),
  ];
}

/** Whether a text is rather written by people than an id. */
function isSentence(text: string): boolean {
  return /\S \S/.test(text);
}

function isAddress(text: string): boolean {
  return text.includes('://');
}

function withQuery(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}conformance=${letters}`;
}

function withLists(value: Json, change: (list: readonly Json[]) => readonly Json[]): Json {
  if (isJsonList(value)) return change(value.map((member) => withLists(member, change)));
  if (!isJsonMembers(value)) return value;
  return membersFrom(Object.entries(value).map(([name, member]) => [name, withLists(member, change)]));
}

function otherCase(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
}

function nested(value: Json, levels: number): Json {
  let whole = value;
  for (let level = 0; level < levels; level += 1) whole = level % 2 === 0 ? [whole] : { a: whole };
  return whole;
}
