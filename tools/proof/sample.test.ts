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
          breaks.check?.startsWith('rate/') === false,
      )
      .toReversed()
      .map((fault) => [fault.breaks.check?.split('/')[0], fault]),
  ).values(),
];
/** What is unusual about each of them, and the checks that it touches. */
const variants = [
  ['session-ids-are-numbers', 'session/*'],
  ['basic-credentials-are-decoded', 'auth/*'],
] as const;

describe.concurrent('a sample of the proof', () => {
  test.each(faults.map((fault) => [fault.name, fault] as const))('finds %s', async (_, fault) => {
    // That nothing is accused elsewhere is for the whole proof.
    const isThere = ({ operation }: { operation: { id: string } }): boolean =>
      operation.id === fault.breaks.operation;
    expect((await proveFault(fault, 1, 'standard', isThere)).objections).toEqual([]);
  });

  test.each(variants)('accepts %s, and verifies the evidence of %s', async (name, checks) => {
    const variant =
      allVariants.find((one) => one.name === name) ?? expect.fail(`there is no variant ${name}`);
    expect((await proveVariant(variant, 1, 'standard', true, checks)).objections).toEqual([]);
  });
});
