import picomatch from 'picomatch';
import { type Catalogue, loadCatalogue } from '../../harness/checks/catalogue.ts';
import { plannedCases } from '../../harness/engine/run/plan.ts';
import { type PlannedRun, planRun } from '../../harness/engine/run/plan-run.ts';
import { unknownName } from '../../harness/target/nearest-name.ts';
import { UsageError } from '../../harness/usage-error.ts';
import type { Settings } from './read-settings.ts';

/** Plans the cases that the settings select; refuses globs that match nothing, because an empty run must not look like a clean one. */
export async function planSettings(
  settings: Settings,
): Promise<PlannedRun & { readonly catalogue: Catalogue }> {
  const catalogue = await loadCatalogue(settings.customChecks);
  const { contract, checks } = catalogue;
  const operations = contract.operations.map(({ id }) => id);
  const names = [...new Set(checks.flatMap(({ id, requirement }) => [id, requirement]))];
  refuseUnmatched('--operation', settings.options.operations, operations, `one of ${operations.join(', ')}`);
  refuseUnmatched('--check', settings.options.checks, names, 'see: npx commerce-conformance checks');
  const planned = planRun(catalogue, settings);
  // Globs may match something each, and nothing together.
  if (plannedCases(planned.whole).length > 0) return { catalogue, ...planned };
  throw new UsageError({
    where: '--operation, --check',
    what: 'none of these checks applies to any of these operations',
    remedy: 'see which operations a check applies to: npx commerce-conformance explain CHECK',
  });
}

function refuseUnmatched(
  where: string,
  globs: readonly string[],
  names: readonly string[],
  otherwise: string,
): void {
  for (const glob of globs)
    if (!names.some((name) => picomatch.isMatch(name, glob, { nocase: true })))
      throw unknownName({ where, what: `nothing matches ${glob}` }, glob, names, otherwise);
}
