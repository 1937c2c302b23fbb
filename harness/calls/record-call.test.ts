import { describe, expect, it } from 'vitest';
import { parseAnswerBody } from './record-call.ts';

const parsed = (text: string): unknown => parseAnswerBody(Buffer.from(text));
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parseAnswerBody', () => {
  it('keeps all digits of large numbers, as text', () => {
    expect(parsed('{"id":90071992547409931,"count":12}')).toEqual({ id: '90071992547409931', count: 12 });
  });

  it('does not parse what is not JSON, nests too deep or is too large', () => {
    expect(parsed('<html>')).toBeUndefined();
    expect(parsed(nested(1_000))).toBeDefined();
    expect(parsed(nested(1_001))).toBeUndefined();
    expect(parsed(`"${'x'.repeat(1024 * 1024)}"`)).toBeUndefined();
  });
});
