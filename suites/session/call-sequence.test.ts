import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSequence, normalizeSequence, parseSequence, simplerSequences } from './call-sequence.ts';

const text =
  'create A, create B, cancel B without a key, read A, cancel A with a key without the scope, cancel B';

describe('call sequences', () => {
  test('are parsed from their description', () => {
    expect(describeSequence(parseSequence(text))).toBe(text);
  });

  test.each(['takes sessionId', 'cancel D', 'cancel A at once', 'delete A'])('are not %s', (other) => {
    expect(() => parseSequence(other)).toThrow(`${other} is not a call`);
  });

  test('create each session once and before it is used', () => {
    expect(
      describeSequence(
        normalizeSequence(parseSequence('read A, create C, create C, cancel C, create A, read B')),
      ),
    ).toBe('create A, cancel A, create B');
  });

  test('become simpler, keep a similar last call, and stay normalized', () => {
    const simpler = [...simplerSequences(parseSequence(text))];
    expect(simpler.map(describeSequence)).toContain(
      'create A, create B, cancel B without a key, read A, cancel B',
    );
    fc.assert(
      fc.property(fc.constantFrom(...simpler), (sequence) => {
        expect(sequence.length).toBeLessThanOrEqual(6);
        expect(sequence.at(-1)).toMatchObject({ act: 'cancel' });
        expect(sequence.at(-1)?.credential).toBeUndefined();
        expect(normalizeSequence(sequence)).toEqual(sequence);
      }),
    );
  });
});
