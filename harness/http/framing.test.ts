import { describe, expect, it } from 'vitest';
import { Chunks } from './framing.ts';

describe('chunks', () => {
  it.each([
    ['of one byte', Array.from({ length: 200_000 }, () => 1)],
    ['of many sizes', Array.from({ length: 300 }, (_, at) => (at * 7_919) % 9_000)],
    ['of which one is all', [100_000]],
    ['of which there are none', []],
  ])('%s come out as they went in', (_what, sizes) => {
    const chunks = new Chunks();
    const pieces = sizes.map((size, at) => Buffer.alloc(size, at));
    for (const piece of pieces) chunks.add(piece);
    expect(chunks.take().equals(Buffer.concat(pieces))).toBe(true);
    expect(chunks.take()).toHaveLength(0);
  });

  it('are copied, for their memory is used again', () => {
    for (const size of [10, 10_000]) {
      const chunks = new Chunks();
      const piece = Buffer.alloc(size, 'a');
      chunks.add(piece);
      piece.fill('b');
      expect(chunks.take().equals(Buffer.alloc(size, 'a'))).toBe(true);
    }
  });
});
