import { groupsOf } from '../../harness/group-by.ts';
import type { CaseResult, QuestionableEntry, Report } from '../../harness/model/report.ts';
import { exitCodeOf } from '../../harness/results/exit-code.ts';
import type { Tone } from '../model/marks.ts';
import type { Place } from '../model/replay-command.ts';
import { mustCases } from '../model/run-figures.ts';
import { type Violation, violationsOf } from '../model/violation.ts';
import { plural } from '../model/wording.ts';
import { type EntryBlock, entry, nothing, type Section, section } from './block.ts';
import { lineOf, reproductionOf, violationFacts, violationTitle } from './findings.ts';
import { joined, listed, say, type Text } from './text.ts';

/** Results of custom checks, apart from those of the contract. */
export function customSection(report: Report, place?: Place): Section {
  const { additional } = report;
  if (additional === undefined) return nothing;
  const { summary, results, folder } = additional;
  const { pass, fail, warn, inconclusive, error } = summary;
  const { failures, warnings, notes } = violationsOf({ ...report, results });
  const tell = (says: string, tone: Tone, violations: readonly Violation[]): EntryBlock[] =>
    groupsOf(violations, ({ requirement, message, expected, actual }) => [
      requirement,
      message,
      expected,
      actual,
    ]).map(([violation, ...others]) => {
      // A custom check rests on no section of the contract.
      const facts = violationFacts(violation, report).map((fact) =>
        lineOf(fact.name === 'contract' ? { ...fact, lead: 'written in: ' } : fact),
      );
      const same = others.map(({ operation }) => say`${operation}`);
      const details = [...facts, ...(same.length === 0 ? [] : [say`the same at ${listed(same, 30)}`])];
      const command = reproductionOf(violation, report, place);
      return entry(violationTitle(violation), details, { lead: { text: [`${says}:`], tone }, command });
    });
  const untested = (wanted: CaseResult['outcome'], says: string, tone: Tone): EntryBlock[] =>
    results
      .filter(({ outcome }) => outcome === wanted)
      .map(({ check, operation, message, remedy }) =>
        entry(say`${check}  ${operation}: ${message}`, remedy === undefined ? [] : [say`${remedy}`], {
          lead: { text: [`${says}:`], tone },
        }),
      );
  const tested = pass + fail + warn;
  const counts = [
    `${tested} of ${plural(tested + inconclusive + error, 'case')} tested: ${pass} pass, ${fail} fail, ${warn} warn`,
    ...(inconclusive > 0 ? [`${inconclusive} not tested`] : []),
    ...(error > 0 ? [`${error} failed to run`] : []),
  ].join(', ');
  return section('muted', say`Custom checks (${folder}), not part of the verdict: ${[counts]}`, [
    ...tell('fails', 'bad', failures),
    ...untested('error', 'failed to run', 'bad'),
    ...tell('warns', 'doubt', warnings),
    ...untested('inconclusive', 'not tested', 'muted'),
    ...tell('noted', 'muted', notes),
  ]);
}

/** The result of the baseline, and the entries that need attention. */
export function gateSection(report: Report): Section {
  const { baseline, run } = report;
  if (baseline === undefined) return nothing;
  const { accepted, unaccepted, stale, expired, unknown, unjudged, file } = baseline;
  const code = exitCodeOf(report, run.options['certify'] === true);
  const { planned, tested } = mustCases(report);
  const counts = [
    `${plural(accepted, 'finding')} accepted`,
    `${unaccepted.length === 0 ? 'none' : unaccepted.length} new`,
    ...(stale.length > 0 ? [plural(stale.length, 'stale entry', 'stale entries')] : []),
    ...(expired.length > 0 ? [plural(expired.length, 'expired entry', 'expired entries')] : []),
    ...(code === 3 && tested < planned ? [`${plural(planned - tested, 'must case')} not tested`] : []),
  ].join(', ');
  const groups: ReadonlyArray<readonly [heading: string, entries: readonly QuestionableEntry[]]> = [
    ['Stale: remove from the baseline', stale],
    ['Expired: fix these findings, or agree on a new date', expired],
    ['Unknown: correct or remove', unknown],
    ['Not tested in this run', unjudged],
  ];
  const ids = unaccepted.map((id) => say`${id}`);
  const passed = code === 0;
  const tone = passed ? 'good' : 'bad';
  const added = unaccepted.length === 0 ? [] : [say`new: ${listed(ids, 12)}`];
  const lead = { text: [passed ? '✓ gate passed ' : '✗ gate failed '], tone } as const;
  const entries = [
    entry(say`${[counts]} · baseline ${file}`, added, { lead }),
    ...groups
      .filter(([, entries]) => entries.length > 0)
      .map(([heading, entries]) => entry([`${heading}:`], entries.map(baselineLine))),
  ];
  return section(tone, [], entries);
}

function baselineLine({ finding, requirement, operation, owner, why }: QuestionableEntry): Text {
  const about = [requirement, operation].filter((part) => part !== undefined).map((part) => say`${part}`);
  return say`${finding}${about.length === 0 ? [] : ['  ', ...joined(about, ' ')]} (${owner}): ${why}`;
}
