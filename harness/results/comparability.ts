import type { CaseResult, Report } from '../model/report.ts';
import { isTested } from './findings-by-level.ts';
import { shardInWords } from './shard-text.ts';

/** Whether and how far two reports can be compared. */
export interface Comparability {
  readonly obstacles: readonly string[];
  readonly notes: readonly string[];
  /** Whether the newer run was never asked about a case that the older one has. */
  readonly isExcluded: (result: CaseResult) => boolean;
}

/** Options that affect the tested cases and their strictness. */
const weightyOptions = ['profile', 'strict', 'readOnly', 'spec', 'provokeRateLimit'] as const;

/** Says what stands between two reports before their contents are compared. */
export function comparabilityOf(before: Report, after: Report): Comparability {
  const obstacles: string[] = [];
  const notes: string[] = [];
  if (before.contract.digest !== after.contract.digest) {
    obstacles.push('they were tested against different versions of the contract');
  }
  const known = new Set(after.results.map(({ check }) => check));
  const otherHarness = versionOf(before) !== versionOf(after);
  const isPart = after.run.shard !== undefined;
  const isFiltered = filterOf(before) !== filterOf(after) && filterOf(after) !== '';
  const present = new Set(after.results.map(idOf));
  const isExcluded = (result: CaseResult): boolean =>
    !present.has(idOf(result)) && (isFiltered || isPart || (otherHarness && !known.has(result.check)));
  const left = before.results.filter((result) => isTested(result) && isExcluded(result));
  if (isFiltered && left.length > 0) {
    obstacles.push(
      `the newer run left out, by --operation or --check, ${casesText(left.length)} that the older one evaluated`,
    );
  }
  if (!isFiltered && filterOf(before) !== filterOf(after)) {
    notes.push('the older run was limited by --operation or --check: what it left out counts as gained');
  }
  if (otherHarness) {
    const checks = [...new Set(left.map(({ check }) => check))];
    const gone = checks.length === 0 || isFiltered ? '' : `; it has no longer ${checks.join(', ')}`;
    notes.push(`the harness was ${versionOf(before)} and is ${versionOf(after)}${gone}`);
  }
  for (const [name, report] of [
    ['older', before],
    ['newer', after],
  ] as const) {
    const { interrupted, unreachable, shard } = report.run;
    if (shard !== undefined)
      obstacles.push(`the ${name} report is that of ${shardInWords(shard)} alone: merge all first`);
    if (interrupted) notes.push(`the ${name} run was interrupted`);
    if (unreachable !== undefined) notes.push(`in the ${name} run: ${unreachable}`);
    if (report.shapes === undefined) {
      obstacles.push(`the ${name} report holds no shapes of bodies, so that these were not compared`);
    }
  }
  if (before.target.baseUrl !== after.target.baseUrl && !(before.target.embedded && after.target.embedded)) {
    notes.push(`the target was ${before.target.baseUrl} and is ${after.target.baseUrl}`);
  }
  for (const name of weightyOptions) {
    const [old, now] = [before, after].map(({ run }) => JSON.stringify(run.options[name] ?? false));
    if (old !== now) notes.push(`the option ${name} was ${old} and is ${now}`);
  }
  return { obstacles, notes, isExcluded };
}

function versionOf({ harness }: Report): string {
  return `${harness.name} ${harness.version}`;
}

function filterOf({ run }: Report): string {
  return [run.options['operation'], run.options['check']]
    .map((globs) => [globs ?? []].flat().map(String).sort().join())
    .join(' ')
    .trim();
}

function idOf({ operation, check }: CaseResult): string {
  return `${operation}/${check}`;
}

function casesText(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
