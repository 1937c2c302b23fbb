import { createHash } from 'node:crypto';

/** A source of numbers in [0, 1) that depends on the seed and the labels alone, not on order or answers. */
export function seededRandom(seed: number, ...labels: readonly string[]): () => number {
  let state = createHash('sha256')
    .update([seed, ...labels].join('\u0000'))
    .digest()
    .readUInt32LE(0);
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
