import { describe, expect, it } from 'vitest';
import { Chunks, Semaphore } from './chunks.ts';

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

  it.each([
    ['as many bytes as were said', 200_000],
    ['more bytes than were said', 150_000],
    ['fewer bytes than were said', 300_000],
  ])('come out as they went in where they are %s', (_what, said) => {
    const chunks = new Chunks();
    const pieces = Array.from({ length: 4 }, (_, at) => Buffer.alloc(50_000, at));
    chunks.expect(said);
    for (const piece of pieces) chunks.add(piece);
    expect(chunks.take().equals(Buffer.concat(pieces))).toBe(true);
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

it('lets so many through, and one more for each that leaves, in the order in which they came', () => {
  const semaphore = new Semaphore(2);
  const entered: string[] = [];
  const guests = ['a', 'b', 'c', 'd', 'e'].map((name) => () => void entered.push(name));
  expect(guests.map((guest) => semaphore.take(guest))).toEqual([true, true, false, false, false]);
  const [a, b, c, d, e] = guests as [() => void, () => void, () => void, () => void, () => void];
  semaphore.leave(c);
  semaphore.leave(a);
  expect(entered).toEqual(['d']);
  semaphore.leave(b);
  expect(entered).toEqual(['d', 'e']);
  semaphore.leave(d);
  semaphore.leave(e);
  expect([semaphore.take(a), semaphore.take(b), semaphore.take(c)]).toEqual([true, true, false]);
});
