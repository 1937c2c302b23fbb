import { stringify } from 'yaml';
import type {
  Acceptance,
  BaselineEntry,
  CaseResult,
  Finding,
  QuestionableEntry,
  Report,
} from '../../model/report.ts';
import { caseIdOf, entryAccepting, furtherTriggers, weighedFindings } from '../case-result.ts';
import type { Baseline } from './read-baseline.ts';

/**
 * The report with the result of a baseline on a day such as 2027-01-31; outcomes and verdict do not change. An entry
 * is valid until the end of its last day.
 */
export function withBaseline(report: Report, baseline: Baseline, today: string): Report {
  const valid = baseline.accepted.filter(({ expires }) => expires >= today);
  const over = baseline.accepted.filter(({ expires }) => expires < today);
  const accepted = new Map<Finding, BaselineEntry>();
  const unaccepted: string[] = [];
  // Entries that are over, and that a finding of this run still needs.
  const missed = new Set<BaselineEntry>();
  for (const { finding, result, weight } of weighedFindings(report)) {
    const covers = (entry: BaselineEntry): boolean =>
      entry.finding === finding?.id && isAbout(entry, result) && furtherTriggers(entry, finding).length === 0;
    const entry = valid.find(covers);
    const expiredEntry = over.find(covers);
    if (finding !== null && entry !== undefined) accepted.set(finding, entry);
    else if (expiredEntry !== undefined) missed.add(expiredEntry);
    else if (weight === 'fail') unaccepted.push(finding?.id ?? caseIdOf(result));
  }
  const used = new Set(accepted.values());
  const unused = valid
    .filter((entry) => !used.has(entry))
    .map((entry) => [entry, ...whyUnused(report, entry)] as const);
  const unusedAs = (wanted: Unused): QuestionableEntry[] =>
    unused.flatMap(([entry, kind, why]) => (kind === wanted ? [{ ...entry, why }] : []));
  const stale = unusedAs('stale');
  const expired = over.map((entry) => ({
    ...entry,
    why: `it expired at the end of ${entry.expires}${missed.has(entry) ? ', and the finding is still there' : ''}`,
  }));
  return {
    ...report,
    results: report.results.map((result) => ({
      ...result,
      findings: result.findings.map((finding) => {
        const entry = accepted.get(finding);
        if (entry === undefined) return finding;
        const { reason, owner, expires } = entry;
        return { ...finding, accepted: { reason, owner, expires } };
      }),
    })),
    baseline: {
      file: baseline.file,
      digest: baseline.digest,
      today,
      passed: unaccepted.length + stale.length + expired.length === 0,
      accepted: accepted.size,
      unaccepted,
      expired,
      stale,
      unknown: unusedAs('unknown'),
      unjudged: unusedAs('unjudged'),
    },
  };
}

/** The day in UTC, such as 2027-01-31; days compare as texts. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Whether an entry says nothing that speaks against its being about this case. */
function isAbout(entry: BaselineEntry, result: CaseResult): boolean {
  const { operation, requirement, check } = entry;
  return (
    (operation === undefined || operation === result.operation) &&
    (requirement === undefined || requirement === result.requirement) &&
    (check === undefined || check === result.check)
  );
}

type Unused = 'stale' | 'unknown' | 'unjudged';

function whyUnused(report: Report, entry: BaselineEntry): readonly [kind: Unused, why: string] {
  const { operation, requirement, check } = entry;
  const isIt = ({ id }: Finding): boolean => id === entry.finding;
  const seen = report.results.find(({ findings }) => findings.some(isIt));
  if (seen !== undefined) {
    const further = furtherTriggers(entry, seen.findings.find(isIt) ?? {});
    if (!isAbout(entry, seen))
      return ['unknown', `the finding is ${seen.requirement} at ${seen.operation}, by ${seen.check}`];
    if (further.length > 0) return ['unknown', `the finding also shows with: ${further.join('; ')}`];
    return ['unknown', 'the finding is only a note, and needs no acceptance'];
  }
  if (operation !== undefined && !report.operations.some(({ id }) => id === operation)) {
    return ['unknown', `there is no operation ${operation}`];
  }
  const cases = report.results.filter((result) => isAbout(entry, result));
  const isWhole = isWholeRun(report);
  if (cases.length === 0) {
    if (!isWhole) return ['unjudged', 'its case was not in this run'];
    const named = [check, requirement, operation].filter((name) => name !== undefined).join(' at ');
    return ['unknown', `there is no case of ${named}`];
  }
  const notTested = cases.find(({ outcome }) => outcome === 'inconclusive' || outcome === 'error');
  const planned = cases.filter(({ outcome }) => outcome !== 'not-applicable');
  const isNarrow = operation !== undefined && (requirement !== undefined || check !== undefined);
  if (planned.length === 0) return ['unknown', 'the requirement does not apply to this operation'];
  if (notTested !== undefined && isNarrow)
    return ['unjudged', `its case was not tested: ${notTested.message}`];
  if (notTested !== undefined) {
    return [
      'unknown',
      'no such finding was seen; name its operation and requirement to learn whether its case was tested',
    ];
  }
  // Without them all, a filter may have left out just the case that it is about.
  if (!isWhole && (!isNarrow || check === undefined))
    return ['unjudged', 'this run left out cases that it may be about'];
  return ['stale', 'its case was tested, and the finding was not seen'];
}

/** Whether the run had all cases, tested or not. */
function isWholeRun({ run }: Report): boolean {
  return [run.options['operation'], run.options['check']].every(
    (globs) => globs === undefined || [globs].flat().length === 0,
  );
}

/** Entries that accept the findings that fail a run, and its warnings if `warnings` is set. */
export function baselineEntries(report: Report, acceptance: Acceptance, warnings: boolean): BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>();
  for (const { finding, result, weight } of weighedFindings(report)) {
    if (finding === null || (weight === 'warn' && !warnings) || entries.has(finding.id)) continue;
    entries.set(finding.id, entryAccepting(result, finding, acceptance));
  }
  return [...entries.values()];
}

/** The entries as a file that `--baseline` takes. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const head = '# Findings that a release may have; read by npx commerce-conformance run --baseline.\n';
  return head + stringify({ accepted: entries }, { lineWidth: 0 });
}
