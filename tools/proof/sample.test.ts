import { describe, expect, test } from 'vitest';
import { allFaults } from '../../fixtures/faults/all-faults.ts';
import type { Fault } from '../../fixtures/faults/fault.ts';
import { allVariants } from '../../fixtures/variants/all-variants.ts';
import { loadCatalogue } from '../../harness/checks/catalogue.ts';
import type { ActiveCheck, Case } from '../../harness/checks/check.ts';
import { proveFault, proveVariant } from './prove.ts';

/** Faults that count in real time, which a busy machine stretches, or requests, of which a part of a run sends few. */
const counts = ({ install, options }: Fault): boolean =>
  options?.rateLimit !== undefined ||
  /Date\.now|performance\.now|setTimeout|afterRequests/.test(String(install));
/** The first fault of each area of checks, without those that take long, need a whole run, or count. */
const faults = [
  ...new Map(
    allFaults
      .filter(
        (fault) =>
          fault.missed === undefined &&
          fault.slow !== true &&
          fault.isOfWholeRun !== true &&
          !counts(fault) &&
          fault.breaks.check?.startsWith('rate/') === false,
      )
      .toReversed()
      .map((fault) => [fault.breaks.check?.split('/')[0], fault]),
  ).values(),
];
/** Checks that send requests; the others evaluate those of all checks. */
const active = new Set(
  (await loadCatalogue()).checks.filter(({ kind }) => kind === 'active').map(({ id }) => id),
);
/** What is unusual about each of them, and the checks that it touches. */
const variants = [
  ['session-ids-are-numbers', 'session/*'],
  ['basic-credentials-are-decoded', 'auth/*'],
  ['told-pages-and-relations-are-validated', 'client/*'],
] as const;

describe.concurrent('a sample of the proof', () => {
  test.each(faults.map((fault) => [fault.name, fault] as const))('finds %s', async (_, fault) => {
    // That nothing is accused elsewhere is for the whole proof.
    const { breaks } = fault;
    const mayFind = ({ operation, check }: Case<ActiveCheck>): boolean =>
      operation.id === breaks.operation && (!active.has(breaks.check ?? '') || check.id === breaks.check);
    expect((await proveFault(fault, 1, 'standard', mayFind)).objections).toEqual([]);
  });

  test.each(variants)('accepts %s, and verifies the evidence of %s', async (name, checks) => {
    const variant =
      allVariants.find((one) => one.name === name) ?? expect.fail(`there is no variant ${name}`);
    expect((await proveVariant(variant, 1, 'standard', true, checks)).objections).toEqual([]);
  });
});
