import { describe, expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { proveFault, proveVariant } from './prove.ts';

/** The first fault of each area of checks, without those that take long, or count in real time, which a busy machine stretches. */
const faults = [
  ...new Map(
    allFaults
      .filter(
        ({ missed, slow, options, breaks }) =>
          missed === undefined &&
          slow !== true &&
          options?.rateLimit === undefined &&
          !breaks.check.startsWith('rate/'),
      )
      .toReversed()
      .map((fault) => [fault.breaks.check.split('/')[0], fault]),
  ).values(),
];
const variants = allVariants.filter(({ name }) =>
  ['session-ids-are-numbers', 'basic-credentials-are-decoded'].includes(name),
);

describe.concurrent('a sample of the proof', () => {
  test.each(faults.map((fault) => [fault.name, fault] as const))('finds %s', async (_, fault) => {
    expect((await proveFault(fault, 1)).objections).toEqual([]);
  });

  test.each(variants.map((variant) => [variant.name, variant] as const))(
    'accepts %s, and verifies the evidence of the run',
    async (_, variant) => {
      expect((await proveVariant(variant, 1, 'standard', true)).objections).toEqual([]);
    },
  );
});
