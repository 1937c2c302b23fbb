import type { CaseResult, Finding, Report } from '../model/report.ts';

/** A finding with the case that it belongs to, and what it does to the run. */
export interface WeighedFinding {
  readonly result: CaseResult;
  /** Null for a failed case that names no finding, which must not go unsaid. */
  readonly finding: Finding | null;
  readonly weight: 'fail' | 'warn';
}

/** The findings that fail cases or warn; what is only noted is left out. */
export function weighedFindings({ results, run }: Report): readonly WeighedFinding[] {
  const strict = run.options['strict'] === true;
  return results.flatMap((result): readonly WeighedFinding[] => {
    const { outcome, findings } = result;
    if (outcome !== 'fail' && outcome !== 'warn') return [];
    const weighty = findings.filter(({ level }) => level !== 'info');
    const decisive = ({ level }: Finding): boolean => level === 'must' || (strict && level === 'should');
    if (weighty.length === 0) return [{ result, finding: null, weight: outcome }];
    // Whatever its findings call themselves, a failed case has failed.
    const plain = outcome === 'fail' && weighty.some(decisive);
    return weighty.map((finding) => ({
      result,
      finding,
      weight: plain ? (decisive(finding) ? 'fail' : 'warn') : outcome,
    }));
  });
}

/** Whether the case came to a word on the target. */
export function isTested({ outcome }: CaseResult): boolean {
  return outcome === 'pass' || outcome === 'fail' || outcome === 'warn';
}

type Triggers = Pick<Finding, 'triggers'>;

/** What shows a finding now and did not before; empty where either side cannot tell. */
export function furtherTriggers(
  { triggers: known }: Triggers,
  { triggers: now }: Triggers,
): readonly string[] {
  if (known === undefined || now === undefined) return [];
  return now.filter((trigger) => !known.includes(trigger));
}
