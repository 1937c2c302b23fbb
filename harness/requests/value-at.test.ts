import { describe, expect, it } from 'vitest';
import { valueAt } from './session-id.ts';

const document: unknown = JSON.parse(
  '{"a":{"b":[10,{"c":null}]},"":1,"x/y":2,"m~n":3,"~1":4,"é":5,"__proto__":6}',
);

describe('valueAt', () => {
  it.each<[string, unknown]>([
    ['/a/b/0', 10],
    ['/a/b/1/c', null],
    ['/', 1],
    ['/x~1y', 2],
    ['/m~0n', 3],
    ['/~01', 4],
    ['/é', 5],
    ['/__proto__', 6],
    ['/a/b/2', undefined],
    ['/a/c', undefined],
    ['/a/b/0/c', undefined],
    ['/constructor', undefined],
    ['/a/b/length/x', undefined],
  ])('finds at %s', (pointer, expected) => {
    expect(valueAt(document, pointer)).toBe(expected);
  });

  it('is the document itself for the empty pointer', () => {
    expect(valueAt(document, '')).toBe(document);
  });

  it.each([undefined, null, 'text', 7])('finds nothing in %j', (scalar) => {
    expect(valueAt(scalar, '/a')).toBeUndefined();
  });

  it('does not take the length of a list for a member of it', () => {
    expect(valueAt(document, '/a/b/length')).toBeUndefined();
  });
});
