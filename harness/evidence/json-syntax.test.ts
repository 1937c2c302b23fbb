import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCutJson, isJsonTwice, jsonKind, textBesideJson } from './json-syntax.ts';

/** What JSON.parse makes of a text. */
function parsedKind(text: string): string {
  const content = text.replace(/^\uFEFF/, '');
  if (content === '') return 'empty';
  try {
    const value: unknown = JSON.parse(content);
    return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  } catch {
    return 'malformed';
  }
}

describe('scanning JSON', () => {
  it.each(
    `|x|{|}|[|]|[]|{}|[}|{]|[,]|[1,]|[1 2]|{"a"}|{"a":}|{"a":1,}|{,}|{a:1}|"|"a|"\\|"\\u12|"\\u12g4"|"\\x"|"\\u00fF\\n"|
     -|01|1.|.5|1e|1e+|-0.5E-7|+1|NaN|tru|true|truex|null null|nul|false| [ 1 , { "a" : [ ] } ] |[1]]|}{|"\t"|1 |-01|
     \uFEFF|\uFEFF{}|{"a":1}x|[true,false,null,"",{}]|{"a":{"b":[{}]}}|[[]|{"a":[}|"é\ud83d\ude00"`.split(
      '|',
    ),
  )('comes to the same as parsing: %j', (text) => {
    expect(jsonKind(text)).toBe(parsedKind(text));
  });

  it('comes to the same as parsing for any JSON, whole and broken', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', '\\', ',', ':', '[', '}', '0', 'e', ' ', '-', 'u'),
      )
      .map(([text, at, cut, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + cut);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        expect(jsonKind(text)).toBe(parsedKind(text));
      }),
      { numRuns: 3_000, seed: 1 },
    );
  });

  it('takes no account of how deep it goes', () => {
    const levels = 1_000_000;
    expect(jsonKind('['.repeat(levels) + ']'.repeat(levels))).toBe('array');
    expect(jsonKind(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toBe('object');
    expect(jsonKind('['.repeat(levels))).toBe('malformed');
  });
});

describe('JSON that is cut off', () => {
  it('is every beginning of an object or array', () => {
    const whole = '{"a":[1.5e3,true,null,"\\u00e9é"],"b":{}}';
    for (let end = 1; end < whole.length; end += 1) expect(isCutJson(whole.slice(0, end))).toBe(true);
    expect(isCutJson(whole)).toBe(false);
  });

  it.each(['', ' ', 'tru', '"a', '<p>', '{"a":1}x', '[1,]', '{"a":[}', '{"a":1 t', '{"a":"\\ug'])(
    'is not %j',
    (text) => {
      expect(isCutJson(text)).toBe(false);
    },
  );
});

it.each([
  ['{"a":1}\n{"b":2}', true],
  ['[] []', true],
  ['{"a":[{}]}[1]', true],
  ['{"a":1}', false],
  ['{"a":1}x', false],
  ['{"a":1', false],
  ['{"a":{}{}}', false],
  ['1 {}', true],
])('tells two documents in one text: %j', (text, expected) => {
  expect(isJsonTwice(text)).toBe(expected);
});

it.each([
  ['<br />\n<b>Warning</b>: a[0] on line 5<br />\n{"a":1}', '<br />\n<b>Warning</b>: a[0] on line 5<br />'],
  [")]}',\n[]", ")]}',"],
  ['\ufeff{"a":1}', undefined],
  [' {"a":1}', undefined],
  ['{"a":[0]}\n<b>Notice</b>: b', '<b>Notice</b>: b'],
  ['1 oops', undefined],
  ['<p>[1]</p>', undefined],
  ['oops {"a":1', undefined],
  ['callback({"a":1})', undefined],
])('tells what stands beside JSON: %j', (text, expected) => {
  expect(textBesideJson(text)).toBe(expected);
});
