import type { CaseResult, Report } from '../../model/report.ts';
import { caseIdOf } from '../case-result.ts';
import { isTested } from '../findings-by-level.ts';
import { shardInWords } from '../shard-text.ts';

/** Whether and how far two reports can be compared. */
export interface Comparability {
  readonly obstacles: readonly string[];
  readonly notes: readonly string[];
  /** Whether the newer run was never asked about a case that the older one has. */
  readonly isExcluded: (result: CaseResult) => boolean;
}

/** Options that affect the tested cases and their strictness, with the value that they have where none was recorded. */
const weightyOptions = {
  profile: 'standard',
  strict: false,
  readOnly: false,
  spec: false,
  provokeRateLimit: false,
} as const;

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
  const present = new Set(after.results.map(caseIdOf));
  const isExcluded = (result: CaseResult): boolean =>
    !present.has(caseIdOf(result)) && (isFiltered || isPart || (otherHarness && !known.has(result.check)));
  const left = before.results.filter((result) => isTested(result) && isExcluded(result));
  const unsent = casesLeftOut(before, after).length;
  if (unsent > 0)
    obstacles.push(
      `the newer run had no requests left for ${casesText(unsent)} that the older one tested: raise its --max-requests`,
    );
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
  for (const [name, usual] of Object.entries(weightyOptions)) {
    const [old, now] = [before, after].map(({ run }) => settingText(run.options[name] ?? usual));
    const flag = `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
    if (old !== now) notes.push(`${flag}: ${old} in the older run, ${now} in the newer one`);
  }
  return { obstacles, notes, isExcluded };
}

/** Cases that the older run tested, and for which the newer one had no requests left. */
function casesLeftOut(before: Report, after: Report): readonly CaseResult[] {
  const tested = new Set(before.results.filter(isTested).map(caseIdOf));
  return after.results.filter((result) => tested.has(caseIdOf(result)) && lacksRequests(result));
}

/** Whether a case was not tested because the run had no requests left. */
export function lacksRequests({ outcome, remedy }: CaseResult): boolean {
  return outcome === 'inconclusive' && remedy?.includes('--max-requests') === true;
}

function settingText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
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

function casesText(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
