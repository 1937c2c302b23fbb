import { groupBy, groupsOf } from '../../harness/group-by.ts';
import type { CaseResult, QuestionableEntry, Report } from '../../harness/model/report.ts';
import { exitCodeOf } from '../../harness/results/exit-code.ts';
import { firstLine } from '../../harness/visible-text.ts';
import { type Tone, verdictMarks } from '../model/marks.ts';
import { type OpenCases, openCasesOf, openings } from '../model/open-cases.ts';
import { type Place, quoted, replayCommand } from '../model/replay-command.ts';
import { rootCausesOf, type Violation, violationsOf, type Weight } from '../model/root-causes.ts';
import {
  casesInWords,
  caveatsOf,
  mustCases,
  operationsInWords,
  reasonsBesideCaveats,
  sampledBy,
  wasTested,
  wayToTarget,
} from '../model/run-figures.ts';
import { slowedInWords } from '../model/slowdown.ts';
import { duration, number, plural } from '../model/wording.ts';
import {
  type EntryBlock,
  entry,
  type FactsBlock,
  joined,
  listed,
  nothing,
  type RemedyBlock,
  type Section,
  type SectionName,
  say,
  section,
  type Text,
  upTo,
  type VerdictBlock,
} from './block.ts';
import { findingBlock, lineOf, reproductionOf, violationFacts, violationTitle } from './findings.ts';

/** All parts of a report that have something to say; where nothing was tested, the verdict says it all. */
export function reportSections(report: Report, place?: Place): ReadonlyMap<SectionName, Section> {
  const isTested = wasTested(report);
  const sections: ReadonlyArray<readonly [SectionName, Section, isSaid?: boolean]> = [
    ['operations', section('muted', [operationsInWords(report)], [{ kind: 'operations' }]), isTested],
    ['open', openSection(report), isTested],
    ['notes', notesSection(report), isTested],
    ['figures', section('muted', [], [figuresBlock(report)]), isTested],
    ['custom', customSection(report, place)],
    ['errors', errorsSection(report)],
    ['warn', causesSection('warn', report, place)],
    ['fail', causesSection('fail', report, place)],
    ['verdict', verdictSection(rootCausesOf(report)[0]?.decisive, report, place)],
    ['gate', gateSection(report)],
  ];
  const said = sections.filter(([, { blocks }, isSaid = true]) => isSaid && blocks.length > 0);
  return new Map(said.map(([name, one]) => [name, one]));
}

function causesSection(weight: Weight, report: Report, place?: Place): Section {
  const groups = rootCausesOf(report).filter((group) => group.weight === weight);
  const findings = groups.reduce((sum, { members }) => sum + members.length, 0);
  const operations = new Set(groups.flatMap((group) => group.operations)).size;
  const counts = `${plural(groups.length, 'root cause')}, ${plural(findings, 'finding')} at ${plural(operations, 'operation')}`;
  return section(
    weight === 'fail' ? 'bad' : 'doubt',
    [`${weight === 'fail' ? 'Failed' : 'Warnings'}: ${counts}`],
    groups.map((group) => findingBlock(group, report, place)),
    (shown) => plural(groups.length - shown, 'more root cause'),
  );
}

/** Violations of level info, the same ones together. */
export function notesOf(report: Report): readonly (readonly [Violation, ...Violation[]])[] {
  const { notes } = violationsOf(report);
  return groupsOf(notes, ({ requirement, headline }) => [requirement, headline]);
}

function notesSection(report: Report): Section {
  const blocks = notesOf(report).map((same) => {
    const [{ requirement, level, headline, operation, message }] = same;
    const { size } = new Set(same.map((one) => one.operation));
    const where = size === 1 ? say`${operation}` : [plural(size, 'operation')];
    const figures = same.length === 1 && message !== headline ? say` (${message})` : [];
    return entry(say`${requirement} ${[level]}  ${where}: ${headline}${figures}`);
  });
  return section('muted', ['Notes, not counted'], blocks);
}

function errorsSection({ results }: Report): Section {
  const errors = results.filter(({ outcome }) => outcome === 'error');
  const heading = `Defects of the harness, not of the target: ${plural(errors.length, 'case')}`;
  const blocks = groupsOf(errors, ({ message }) => [firstLine(message)]).map(([one, ...others]) =>
    entry(
      say`${one.check}  ${one.operation}: ${firstLine(one.message)}`,
      others.length === 0 ? [] : [[`the same in ${plural(others.length, 'more case')}`]],
    ),
  );
  return section('bad', [heading], blocks);
}

function openSection(report: Report): Section {
  const open = openCasesOf(report);
  const cases = (groups: readonly OpenCases[]): number =>
    groups.reduce((sum, { cases: { length } }) => sum + length, 0);
  return section('open', [`Not tested: ${plural(cases(open), 'case')}`], open.map(remedyBlock), (shown) => {
    const left = open.slice(shown);
    return `${plural(cases(left), 'more case')} for ${plural(left.length, 'more reason')}`;
  });
}

function remedyBlock(open: OpenCases): RemedyBlock {
  const { cases, remedy } = open;
  const count = plural(cases.length, remedy.kind === 'none' ? 'case' : 'more case');
  const operations = [...new Set(cases.map(({ operation }) => operation))];
  const [check = '', ...checks] = new Set(cases.map((one) => one.check));
  const named = operations.map((one) => say`${one}`);
  const where = operations.length >= 25 ? ['all operations'] : listed(named, 6);
  const which =
    checks.length === 0 ? say`check ${check}` : say`${checks.length + 1} checks, such as ${check}`;
  const weight = cases.some(({ level }) => level === 'must') ? '' : 'none of level must · ';
  return {
    kind: 'remedy',
    opening: [`${openings[remedy.kind]} ${count}:`],
    names: say`${[weight]}${where} · ${which}`,
    open,
  };
}

function figuresBlock(report: Report): FactsBlock {
  const { coverage, run, traffic, target, results, harness } = report;
  const { planned, tested } = mustCases(report);
  const isAllMust = results.every(({ level, outcome }) => level === 'must' || outcome === 'not-applicable');
  const isTold = planned === tested || isAllMust;
  const silent = traffic.byStatus['none'] ?? 0;
  const slowed = slowedInWords(report);
  const requests = [
    `${plural(traffic.requests, 'request')} in ${duration(run.durationMs)}`,
    `${number(traffic.throttled)} answered 429`,
    ...(silent > 0 ? [`${number(silent)} without an answer`] : []),
    `p50 ${duration(traffic.latencyMs.p50)}, p95 ${duration(traffic.latencyMs.p95)}`,
  ].join(' · ');
  const discovered = target.discovered.map(
    ({ name, value, from }) => say`${upTo(60, name)} = ${upTo(60, value)} (${upTo(80, from)})`,
  );
  const excluded = (target.excluded ?? []).map(({ operation, parameter, reason, ...one }) => {
    const place = [operation, parameter].filter((part) => part !== undefined).join(' ');
    return say`${upTo(80, one.class)}${place === '' ? [] : say` in ${upTo(80, place)}`} (${upTo(160, reason)})`;
  });
  const facts: ReadonlyArray<readonly [name: string, text: Text]> = [
    ['operations', [operationsInWords(report)]],
    ['cases', [casesInWords(report)]],
    ['', isTold ? [] : [`of level must: ${number(tested)} of ${number(planned)} tested`]],
    ['statuses', coverage.length === 0 ? [] : [statusesInWords(report)]],
    ['discovered', listed(discovered, 4)],
    ['excluded', listed(excluded, 6)],
    ['traffic', [requests]],
    ['', slowed === undefined ? [] : say`${slowed}`],
    ['seed', say`${run.seed} · started ${run.startedAt} · ${harness.name} ${harness.version}`],
  ];
  return { kind: 'facts', facts: facts.filter(([, text]) => text.length > 0) };
}

function statusesInWords({ coverage }: Report): string {
  const unobserved = coverage.filter(({ observed }) => observed === 0);
  const missing = groupBy(unobserved, ({ status }) => status);
  if (missing.size === 0) return 'every documented status observed at every operation';
  const operations = new Set(coverage.map(({ operation }) => operation)).size;
  const parts = [...missing]
    .sort(([a], [b]) => a - b)
    .map(([status, entries]) => `${status} at ${number(entries.length)}`);
  return `never observed: ${parts.join(', ')} of ${plural(operations, 'operation')}`;
}

const hint =
  'This alone does not fail a pipeline: with --fail-incomplete, the exit code is 3 until every must case is tested.';

function verdictSection(example: Violation | undefined, report: Report, place?: Place): Section {
  const { verdict, run, target } = report;
  const caveats = caveatsOf(report);
  const way = wayToTarget(target).trim();
  const isGated = exitCodeOf(report, run.options['certify'] === true) !== 0;
  // Nobody reads the log of a green pipeline.
  const needsHint = verdict === 'incomplete' && !isGated && run.shard === undefined && caveats.length > 0;
  const mark = verdictMarks[verdict];
  const commands: VerdictBlock['commands'] =
    example?.finding == null
      ? []
      : [
          ['explain it', `npx commerce-conformance explain ${quoted(example.requirement)}`],
          ['replay it', replayCommand(report, example.finding, place)],
        ];
  const block: VerdictBlock = {
    kind: 'verdict',
    mark,
    verdict: `${mark.word}${sampledBy(report)}${run.interrupted ? ', interrupted' : ''}`,
    caveats: [caveats.join('; ')],
    target: way === '' ? say`${target.baseUrl}` : say`${target.baseUrl} ${way}`,
    reasons: reasonsBesideCaveats(report).map((reason) => say`${reason}`),
    hint: needsHint ? hint : null,
    commands,
  };
  return section(mark.tone, [], [block]);
}

function saidBy({ requirement, message, expected, actual }: Violation): unknown {
  return [requirement, message, expected, actual];
}

/** Results of custom checks, apart from those of the contract. */
function customSection(report: Report, place?: Place): Section {
  const { additional } = report;
  if (additional === undefined) return nothing;
  const { summary, results, folder } = additional;
  const { pass, fail, warn, inconclusive, error } = summary;
  const { failures, warnings, notes } = violationsOf({ ...report, results });
  const tell = (says: string, tone: Tone, violations: readonly Violation[]): EntryBlock[] =>
    groupsOf(violations, saidBy).map(([violation, ...others]) => {
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
      .map(({ check, operation, message, remedy }) => {
        const [what = '', ...stack] = message.split('\n');
        const details = [...stack, ...(remedy === undefined ? [] : [remedy])].map((line) => say`${line}`);
        return entry(say`${check}  ${operation}: ${what}`, details, {
          lead: { text: [`${says}:`], tone },
        });
      });
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
function gateSection(report: Report): Section {
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
