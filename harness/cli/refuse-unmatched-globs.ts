import picomatch from 'picomatch';
import type { Contract } from '../../spec/contract.ts';
import type { IdentifiedCheck } from '../checks/check.ts';
import type { RunOptions } from '../running/run-options.ts';
import { nearestName } from '../target/nearest-name.ts';
import { UsageError } from '../usage-error.ts';

/** Refuses globs that let nothing through: a run of nothing must not look like a clean one. */
export function refuseUnmatchedGlobs(
  options: Pick<RunOptions, 'operations' | 'checks'>,
  contract: Contract,
  checks: readonly IdentifiedCheck[],
): void {
  refuse(
    '--operation',
    options.operations,
    contract.operations.map(({ id }) => id),
  );
  refuse('--check', options.checks, [...new Set(checks.flatMap(({ id, requirement }) => [id, requirement]))]);
}

function refuse(flag: string, globs: readonly string[], names: readonly string[]): void {
  for (const glob of globs) {
    if (names.some((name) => picomatch.isMatch(name, glob, { nocase: true }))) continue;
    const nearest = nearestName(glob, names);
    throw new UsageError({
      where: flag,
      what: `nothing is called ${glob}`,
      remedy: nearest === undefined ? 'see: commerce-conformance checks' : `did you mean ${nearest}?`,
    });
  }
}
