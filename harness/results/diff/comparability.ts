import type { CaseResult, Report } from '../../model/report.ts';
import { profiles } from '../../sampling/profile.ts';
import { caseIdOf } from '../case-result.ts';
import { isTested } from '../findings-by-level.ts';
import { shardInWords } from '../shard-text.ts';
import { casesInWords } from '../verdict.ts';

/** Whether and how far two reports can be compared. */
export interface Comparability {
  readonly obstacles: readonly string[];
  readonly notes: readonly string[];
  /** Whether the newer run was never asked about a case that the older one has. */
  readonly isExcluded: (result: CaseResult) => boolean;
  /** Whether the profile of the newer run sends less, so that a finding that it does not show may still be there. */
  readonly sendsLess: boolean;
}

/** Options that affect the tested cases and their strictness, with their default values. */
const weightyOptions = {
  profile: 'standard',
  strict: false,
  readOnly: false,
  spec: false,
  provokeRateLimit: false,
} as const;

/** States what makes two reports hard to compare, before their contents are compared. */
export function comparabilityOf(before: Report, after: Report): Comparability {
  const sides = [
    ['older', before],
    ['newer', after],
  ] as const;
  const known = new Set(after.results.map(({ check }) => check));
  const present = new Set(after.results.map(caseIdOf));
  const isOtherHarness = versionOf(before) !== versionOf(after);
  const isOtherChoice = filterOf(before) !== filterOf(after);
  const isFiltered = isOtherChoice && filterOf(after) !== '';
  const isPart = after.run.shard !== undefined;
  const sendsLess = rankOf(after) < rankOf(before);
  const isExcluded = (result: CaseResult): boolean =>
    !present.has(caseIdOf(result)) &&
    (isFiltered || isPart || sendsLess || (isOtherHarness && !known.has(result.check)));
  const tested = before.results.filter(isTested);
  const left = tested.filter(isExcluded);
  const testedBefore = new Set(tested.map(caseIdOf));
  const unsent = after.results.filter((one) => testedBefore.has(caseIdOf(one)) && lacksRequests(one)).length;
  const gone = isFiltered || sendsLess ? '' : [...new Set(left.map(({ check }) => check))].join(', ');
  const areBothEmbedded = before.target.embedded && after.target.embedded;
  const obstacles = [
    before.contract.digest !== after.contract.digest &&
      'they were tested against different versions of the contract',
    unsent > 0 &&
      `the newer run had no requests left for ${casesInWords(unsent)} that the older one tested: raise its --max-requests`,
    isFiltered &&
      left.length > 0 &&
      `the newer run left out, by --operation or --check, ${casesInWords(left.length)} that the older one evaluated`,
    ...sides.flatMap(([name, { run, shapes }]) => [
      run.shard !== undefined &&
        `the ${name} report is that of ${shardInWords(run.shard)} alone: merge all first`,
      shapes === undefined && `the ${name} report holds no shapes of bodies, so these were not compared`,
    ]),
  ];
  const notes = [
    isOtherChoice &&
      !isFiltered &&
      'the older run was limited by --operation or --check: what it left out counts as gained',
    isOtherHarness &&
      `the harness was ${versionOf(before)} and is ${versionOf(after)}${gone === '' ? '' : `; it no longer has ${gone}`}`,
    ...sides.flatMap(([name, { run }]) => [
      run.interrupted && `the ${name} run was interrupted`,
      run.unreachable !== undefined && `in the ${name} run: ${run.unreachable}`,
    ]),
    before.target.baseUrl !== after.target.baseUrl &&
      !areBothEmbedded &&
      `the target was ${before.target.baseUrl} and is ${after.target.baseUrl}`,
    ...Object.entries(weightyOptions).map(([name, usual]) => {
      const [old, now] = [before, after].map(({ run }) => settingText(run.options[name] ?? usual));
      const flag = `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
      return old !== now && `${flag}: ${old} in the older run, ${now} in the newer one`;
    }),
    ...(sendsLess
      ? [
          !isFiltered &&
            left.length > 0 &&
            `not part of the ${profileOf(after)} profile: ${casesInWords(left.length)} that the older run tested`,
          'the newer run sends less: a finding that it does not show may still be there',
        ]
      : []),
  ];
  return { obstacles: obstacles.filter(isText), notes: notes.filter(isText), isExcluded, sendsLess };
}

function isText(text: string | false): text is string {
  return text !== false;
}

/** Whether a case was not tested because the run had no requests left. */
export function lacksRequests({ outcome, remedy }: CaseResult): boolean {
  return outcome === 'inconclusive' && remedy?.includes('--max-requests') === true;
}

function profileOf({ run }: Report): string {
  return String(run.options['profile'] ?? weightyOptions.profile);
}

/** The index of a run's profile; each profile sends everything that the profiles before it send. */
function rankOf(report: Report): number {
  return profiles.map(String).indexOf(profileOf(report));
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
