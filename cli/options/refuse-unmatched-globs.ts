import picomatch from 'picomatch';
import type { IdentifiedCheck } from '../../harness/checks/check.ts';
import { type Plan, plannedCases } from '../../harness/engine/run/plan.ts';
import type { RunOptions } from '../../harness/model/run-options.ts';
import { nearestName } from '../../harness/target/nearest-name.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { Contract } from '../../spec/contract.ts';

/** Refuses globs that let nothing through: a run of nothing must not look like a clean one. */
export function refuseUnmatchedGlobs(
  options: Pick<RunOptions, 'operations' | 'checks'>,
  contract: Contract,
  checks: readonly IdentifiedCheck[],
): void {
  const operations = contract.operations.map(({ id }) => id);
  refuse('--operation', options.operations, operations, `one of ${operations.join(', ')}`);
  const names = [...new Set(checks.flatMap(({ id, requirement }) => [id, requirement]))];
  refuse('--check', options.checks, names, 'see: npx commerce-conformance checks');
}

/** Refuses globs that match something each, and nothing together. */
export function refuseEmptyPlan(plan: Plan): void {
  if (plannedCases(plan).length > 0) return;
  throw new UsageError({
    where: '--operation, --check',
    what: 'none of these checks applies to any of these operations',
    remedy: 'see which operations a check applies to: npx commerce-conformance explain CHECK',
  });
}

function refuse(flag: string, globs: readonly string[], names: readonly string[], list: string): void {
  for (const glob of globs) {
    if (names.some((name) => picomatch.isMatch(name, glob, { nocase: true }))) continue;
    const nearest = nearestName(glob, names);
    throw new UsageError({
      where: flag,
      what: `nothing is called ${glob}`,
      remedy: nearest === undefined ? list : `did you mean ${nearest}?`,
    });
  }
}
