import { describe, expect, test } from 'vitest';
import { malformedBodies } from './malformed-bodies.ts';

const valid = '{"but":"a \\"b\\"","merchant":"atelier-nord","items":[{"quantity":2}]}';

function textOf(label: string, from: string): string {
  const { body } = malformedBodies(from).find((one) => one.label === label) ?? expect.fail(label);
  return body === 'none' ? '' : body.bytes.toString();
}

describe('malformed bodies', () => {
  test.each([valid, '{}', '[]', '"text"', '{"but":"but"}', '{"a":-1.5}', '{"a":1e+30}'])(
    'are no JSON, made from %s',
    (from) => {
      for (const { label, body } of malformedBodies(from)) {
        const text = body === 'none' ? '' : body.bytes.toString();
        expect(() => JSON.parse(text), label).toThrow(SyntaxError);
      }
    },
  );

  test.each([
    ['a zero before a number', valid.replace('2', '02')],
    ['an unknown escape', valid.replace('merchant', '\\merchant')],
    ['a bare tab in a text', valid.replace('{', '{"conformance":"a\tb",')],
  ])('have %s, and are else as the valid one', (label, expected) => {
    expect(textOf(label, valid)).toBe(expected);
  });

  test('have a number of their own where the valid one has none', () => {
    expect(textOf('a zero before a number', '{"a":"b"}')).toBe('{"conformance":01,"a":"b"}');
  });
});
