import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  describeSession,
  describeWalk,
  labelOf,
  normalizeWalk,
  parseWalk,
  simplerWalks,
  type WalkCall,
  wayOf,
} from './walk.ts';

const text =
  'create A, create B with Cache-Control: no-cache, cancel B without a key, read A at the same time, cancel A with a key without the scope, wait 2 s, cancel B';

describe('walks', () => {
  test('are parsed from their description', () => {
    expect(describeWalk(parseWalk(text))).toBe(text);
  });

  test('are told by the calls on one session', () => {
    expect(describeSession(text, 'B')).toBe(
      'create B with Cache-Control: no-cache, cancel B without a key, wait 2 s, cancel B, among 3 calls on other sessions',
    );
    expect(describeSession('create A, cancel A', 'A')).toBe('create A, cancel A');
  });

  test.each(['takes sessionId', 'cancel Z', 'cancel A at once', 'delete A'])('are not %s', (other) => {
    expect(() => parseWalk(other)).toThrow(`${other} is not a call`);
  });

  test.each([
    ['with its numbers as fractions', '{"amount":2.0,"rate":1.5,"names":["a"]}'],
    ['with escaped letters', String.raw`{"\u0061mount":2,"\u0072ate":1.5,"\u006eames":["\u0061"]}`],
  ])('spell bodies %s', (way, text) => {
    const [call] = parseWalk(`create A ${way}`);
    const [spelling] = wayOf(call as WalkCall).varied ?? [];
    const write = typeof spelling === 'object' && 'write' in spelling ? spelling.write : String;
    expect(write({ amount: 2, rate: 1.5, names: ['a'] })).toBe(text);
    expect(labelOf(call as WalkCall)).toBe(`create A ${way}`);
  });

  test('create each session once and before it is used', () => {
    expect(
      describeWalk(normalizeWalk(parseWalk('read A, create C, create C, cancel C, create A, read B'))),
    ).toBe('create A, cancel A, create B');
  });

  test('become simpler, keep a similar last call, and stay normalized', () => {
    const simpler = [...simplerWalks(parseWalk(text))];
    expect(simpler.map(describeWalk)).toContain(
      'create A, create B, cancel B without a key, read A, cancel A without a key, wait 2 s, cancel B',
    );
    expect(simpler.map(describeWalk)).toContain(
      'create A, create B, cancel B without a key, read A at the same time, cancel A with a key without the scope, wait 2 s, cancel B',
    );
    fc.assert(
      fc.property(fc.constantFrom(...simpler), (walk) => {
        expect(walk.length).toBeLessThanOrEqual(7);
        expect(walk.at(-1)).toMatchObject({ act: 'cancel' });
        expect(walk.at(-1)).toMatchObject({ ways: [] });
        expect(normalizeWalk(walk)).toEqual(walk);
      }),
    );
  });
});
