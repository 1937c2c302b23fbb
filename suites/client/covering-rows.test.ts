import { describe, expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { factorsOf } from './client-traits.ts';
import { coveringRows } from './covering-rows.ts';

const { operations } = await loadContract();
const origin = new URL('https://shop.example');
const factors = Math.max(...operations.map((operation) => factorsOf(operation, origin).length));

describe('coveringRows', () => {
  it('gives each value of each factor to each operation once', () => {
    for (let operation = 0; operation < 25; operation += 1) {
      const rows = coveringRows(operation, factors);
      for (let factor = 0; factor < factors; factor += 1)
        expect(rows.map((row) => row[factor]).sort()).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it('lets any two values of two factors meet at one of 25 operations', () => {
    const rows = Array.from({ length: 25 }, (_, operation) => coveringRows(operation, factors)).flat();
    for (let one = 0; one < factors; one += 1) {
      for (let other = one + 1; other < factors; other += 1)
        expect(new Set(rows.map((row) => `${row[one]} ${row[other]}`)).size).toBe(25);
    }
  });
});
