import { describe, expect, it } from 'vitest';
import { parseJson } from './json-syntax.ts';

describe('parseJson', () => {
  it('gives each text its own value, in whatever order they come', () => {
    const texts = ['{"a":1}', '[1]', '[1]', '{"a":1}', '"a"', 'null', 'null', '[1]'];
    expect(texts.map(parseJson)).toEqual([{ a: 1 }, [1], [1], { a: 1 }, 'a', null, null, [1]]);
  });

  it('parses once what it is asked for again', () => {
    expect(parseJson('{"b":[]}')).toBe(parseJson(['{"b"', ':[]}'].join('')));
  });

  it('leaves a byte order mark aside', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it('refuses what is no JSON, again and again', () => {
    expect(() => parseJson('{"a"')).toThrow(SyntaxError);
    expect(() => parseJson('{"a"')).toThrow(SyntaxError);
    expect(() => parseJson('')).toThrow(SyntaxError);
    expect(() => parseJson('\uFEFF\uFEFF1')).toThrow(SyntaxError);
  });
});
