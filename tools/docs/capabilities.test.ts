import { expect, test } from 'vitest';
import { faultsByFile } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { capabilities, faultsOf } from './capabilities.ts';

const known = {
  faults: new Set([...faultsByFile.values()].flat().map(({ name }) => name)),
  variants: new Set(allVariants.map(({ name }) => name)),
};

test.each(capabilities.map((one) => [one.what, one] as const))(
  '%s is held by eight faults and four variants',
  (_what, one) => {
    expect(faultsOf(one, faultsByFile).length).toBeGreaterThanOrEqual(8);
    expect(one.variants.length).toBeGreaterThanOrEqual(4);
    expect(one.variants.filter((name) => !known.variants.has(name))).toEqual([]);
    expect((one.faults ?? []).filter((name) => !known.faults.has(name))).toEqual([]);
  },
);
