import { describe, expect, it } from 'vitest';
import { sampleFaults } from './sample-faults.ts';

const faultsOf = (check: string, count: number): ReadonlyArray<{ name: string; breaks: never }> =>
  Array.from({ length: count }, (_, index) => ({ name: `${check}${index}`, breaks: { check } as never }));
const faults = [...faultsOf('a', 7), ...faultsOf('b', 2)];
const namesAt = (seed: number): readonly string[] => sampleFaults(faults, 3, seed).map(({ name }) => name);

describe('sampleFaults', () => {
  it('spreads the faults of each check evenly, and takes all of a check with few', () => {
    expect(namesAt(1)).toEqual(['a0', 'a2', 'a4', 'b0', 'b1']);
  });

  it('chooses others at another seed, so that all faults have their turn', () => {
    expect(namesAt(2)).toEqual(['a1', 'a3', 'a5', 'b0', 'b1']);
    const seen = new Set([1, 2, 3, 4, 5, 6, 7].flatMap(namesAt));
    expect(seen.size).toBe(faults.length);
  });
});
