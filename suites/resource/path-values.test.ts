import { describe, expect, test } from 'vitest';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { protocolError } from '../../harness/evidence/answer.ts';
import {
  isMalformed,
  isStructural,
  mayBeReadAs,
  showSegment,
  tokensOf,
} from '../../harness/fuzzing/path-segment.ts';
import { causeOf, isExplainedBy } from './path-value-cause.ts';
import { isAllowedAnswer } from './path-value-factor.ts';
import { corpusOf, isOfKind, pathValues } from './path-values.ts';
import { randomPathValues } from './random-path-values.ts';

describe('tokens', () => {
  test.each([
    ['linen', ['l', 'i', 'n', 'e', 'n']],
    ['a%20b', ['a', '%20', 'b']],
    ['%F0%9F%91%95x', ['%F0%9F%91%95', 'x']],
    ['%C3%A4%FF%C3', ['%C3%A4', '%FF', '%C3']],
    ['%ED%A0%80', ['%ED', '%A0', '%80']],
    ['%zz%', ['%', 'z', 'z', '%']],
  ])('%s', (raw, tokens) => {
    expect(tokensOf(raw)).toEqual(tokens);
    expect(tokensOf(raw).join('')).toBe(raw);
  });
});

test.each([
  ['%2e%2e', true, false],
  ['.', true, false],
  ['a%2Fb', true, false],
  ['a..b', false, false],
  ['%2500', false, false],
  ['', true, true],
  ['a%zz', false, true],
  ['a"b', false, true],
  ['a%22b', false, false],
])('%s: structural %s, malformed %s', (raw, structural, malformed) => {
  expect([isStructural(raw), isMalformed(raw)]).toEqual([structural, malformed]);
});

test.each([
  ['LINEN-SHIRT', true],
  ['%20linen-shirt%00', true],
  ['ｌｉｎｅｎ-shirt', true],
  ['%6Cinen%2Dshirt', true],
  ['li%6Een-xhirt', true],
  ['linen-shir', true],
  ['a%2Fb', true],
  ['00000000-0000-0000-0000-000000000000', false],
  ['null', false],
  ['shi', false],
  ['0', false],
])('%s may be read as linen-shirt: %s', (raw, expected) => {
  expect(mayBeReadAs(raw, 'linen-shirt')).toBe(expected);
});

test.each([
  ['urn:checkout:7d2c', true],
  ['urn%3Acheckout:7d2c', true],
  ['7d2c', false],
  ['checkout%3A7d2c', true],
  ['%3A', false],
])('%s may be read as urn:checkout:7d2c: %s', (raw, expected) => {
  expect(mayBeReadAs(raw, 'urn%3Acheckout%3A7d2c')).toBe(expected);
});

test.each([
  ['a'.repeat(256), '256 times a'],
  ['%00', '%00 (1 character)'],
  ['a%C3%A4%E2%80%AE', 'aä%E2%80%AE (3 characters)'],
  [`x${'y'.repeat(60)}`, `x${'y'.repeat(39)}… (61 characters)`],
])('%s is shown as %s', (raw, shown) => {
  expect(showSegment(raw)).toBe(shown);
});

describe('causes', () => {
  test.each([
    ['%27', 'a quote'],
    ['a%00', 'NUL'],
    ['%FF', 'bytes that are not UTF-8'],
    ['%F0%9F%91%95', 'a character beyond the basic plane'],
    ['a'.repeat(64), 'a length of more than 63 characters'],
    ['a'.repeat(101), 'a length of more than 100 characters'],
    ['a'.repeat(30), 'its length'],
    ['null', 'the value null'],
    ['%3C%2F%3E', 'a slash and an angle bracket'],
  ])('%s: %s', (raw, cause) => {
    expect(causeOf(raw)).toBe(cause);
  });

  test.each([
    ['shirt%27%20OR%20%27', '%27', true],
    ['shirt%27', '%22', false],
    ['a'.repeat(4096), 'a'.repeat(256), true],
    ['shirt%27', 'a'.repeat(256), false],
    ['%3Ca%3E', '%3C%3E', true],
    ['%3Ea%3C', '%3C%3E', false],
  ])('%s is explained by %s: %s', (raw, smallest, expected) => {
    expect(isExplainedBy(raw, smallest)).toBe(expected);
  });
});

describe('the corpus', () => {
  test('names each value once', () => {
    expect(new Set(pathValues.map(({ label }) => label)).size).toBe(pathValues.length);
  });

  test('holds what fits in a request line', () => {
    for (const { raw } of pathValues) expect(raw('linen-shirt')).toMatch(/^[\x21-\x7e]*$/);
  });

  test.each([
    ['nul', 'x%00y', true],
    ['nul', 'xy', false],
    ['very-long', 'b'.repeat(5000), true],
    ['very-long', 'b'.repeat(500), false],
    ['null', 'null', true],
    ['null', 'nullable', false],
    ['encoded-slash', 'a%2fb', true],
  ])('%s leaves out %s: %s', (name, raw, expected) => {
    const kind = pathValues.find((value) => value.class === name);
    expect(kind && isOfKind(raw, kind)).toBe(expected);
  });
});

describe('random values', () => {
  const drawn = take(randomPathValues(7, 'linen-shirt'), 2000);

  test('are the same for the same seed', () => {
    expect(take(randomPathValues(7, 'linen-shirt'), 200)).toEqual(drawn.slice(0, 200));
    expect(take(randomPathValues(8, 'linen-shirt'), 200)).not.toEqual(drawn.slice(0, 200));
  });

  test('fit in a request line, and are neither malformed nor the known value', () => {
    for (const raw of drawn) {
      expect(raw).toMatch(/^[\x21-\x7e]+$/);
      expect(isMalformed(raw)).toBe(false);
      expect(raw).not.toBe('linen-shirt');
    }
  });

  test.each([
    ['a control character', /%[01][0-9a-f]/i],
    ['what is not UTF-8', /%ff/i],
    ['a character beyond the basic plane', /%f0/i],
    ['a quote', /%27|'/],
    ['most of the known value', /linen-s/],
    ['more than 255 characters', /^.{256,}$/],
    ['a number', /^-?\d+$/],
  ])('hold %s at times', (_name, pattern) => {
    expect(drawn.filter((raw) => pattern.test(raw)).length).toBeGreaterThan(20);
  });
});

function take<T>(values: Iterator<T>, count: number): readonly T[] {
  return Array.from({ length: count }, () => values.next().value as T);
}

test('parameters share values: each gets as many, and those of a run get all of them', () => {
  const shared = pathValues.filter(({ isShared }) => isShared === true);
  const sent = Array.from({ length: 11 }, (_, nth) =>
    corpusOf(pathValues, nth).filter(({ isShared, weight }) => isShared === true && weight !== 'low'),
  );
  expect(sent.map(({ length }) => length)).toEqual(Array.from({ length: 11 }, () => 2));
  expect(new Set(sent.flat().map(({ id }) => id)).size).toBe(shared.length);
});

test.each([
  ['malformed', protocolError, true],
  ['malformed', 'closed', false],
  ['sql', protocolError, false],
])('a stream that ends for the value %s %s', (id, message, isAllowed) => {
  const raw = pathValues.find((one) => one.id === id)?.raw('linen') ?? '';
  const exchange = { ...exampleExchange({ failure: 'reset' }), failure: { kind: 'reset', message } } as const;
  expect(isAllowedAnswer(exampleOperation(), { raw, known: 'linen', exchange })).toBe(isAllowed);
});
