import type { Case } from '../checks/check.ts';
import { defined } from '../defined.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type {
  Acceptance,
  BaselineEntry,
  CaseResult,
  Finding,
  Level,
  Outcome,
  Report,
} from '../model/report.ts';

/** The parts of a result that its case fixes. */
function basis(planned: Case): Pick<CaseResult, 'operation' | 'check' | 'requirement' | 'level'> {
  return {
    operation: planned.operation.id,
    check: planned.check.id,
    requirement: planned.requirement.id,
    level: planned.requirement.level,
  };
}

/** The id of the case of a result, such as `getApiKeyIdentity/auth/good-key-is-accepted`. */
export function caseIdOf({ operation, check }: Pick<CaseResult, 'operation' | 'check'>): string {
  return `${operation}/${check}`;
}

/** The message of a case that is not planned because its requirement does not apply to the operation. */
export const notPlanned = 'the requirement does not apply to this operation';

/** The result of a case without findings. */
export function resultOf(
  planned: Case,
  outcome: Exclude<Outcome, 'fail' | 'warn'>,
  message: string,
  exchanges: readonly Exchange[] = [],
  remedy?: string,
): CaseResult {
  return {
    ...basis(planned),
    outcome,
    message,
    expected: null,
    actual: null,
    ...defined({ remedy }),
    exchanges: exchanges.map((exchange) => exchange.id),
    findings: [],
  };
}

/** The result of a case without a violation. */
export function resultOfEvaluation(
  planned: Case,
  evaluation: Exclude<Evaluation, { readonly outcome: 'violated' }>,
  exchanges: readonly Exchange[],
): CaseResult {
  if (evaluation.outcome === 'pass') return resultOf(planned, 'pass', evaluation.message, exchanges);
  const remedy = evaluation.outcome === 'inconclusive' ? evaluation.remedy : undefined;
  return resultOf(planned, evaluation.outcome, evaluation.reason, exchanges, remedy);
}

/** The result of a case with findings: the gravest level decides; a violated `info` is only noted. */
export function resultOfFindings(
  planned: Case,
  findings: readonly [Finding, ...Finding[]],
  exchanges: readonly string[],
  strict: boolean,
): CaseResult {
  const shown = findings.reduce((a, b) => (rankOfLevel(b.level) < rankOfLevel(a.level) ? b : a));
  const outcome = ({ must: 'fail', should: strict ? 'fail' : 'warn', info: 'pass' } as const)[shown.level];
  return {
    ...basis(planned),
    outcome,
    message: outcome === 'pass' ? `noted: ${shown.message}` : shown.message,
    expected: shown.expected,
    actual: shown.actual,
    exchanges,
    findings,
  };
}

const levels: readonly Level[] = ['must', 'should', 'info'];

/** Lower for a graver level. */
export function rankOfLevel(level: Level): number {
  return levels.indexOf(level);
}

/** A finding with its case and its effect on the run. */
export interface WeighedFinding<W = 'fail' | 'warn'> {
  readonly result: CaseResult;
  /** Null for a failed case that names no finding, which must not go unsaid. */
  readonly finding: Finding | null;
  readonly weight: W;
}

/** Every finding of a run. */
export function allFindings({ results, run }: Report): readonly WeighedFinding<'fail' | 'warn' | 'note'>[] {
  const strict = run.options['strict'] === true;
  return results.flatMap((result): readonly WeighedFinding<'fail' | 'warn' | 'note'>[] => {
    const { outcome, findings } = result;
    if (outcome !== 'fail' && outcome !== 'warn')
      return findings.map((finding) => ({ result, finding, weight: 'note' }));
    if (findings.length === 0) return [{ result, finding: null, weight: outcome }];
    const decides = ({ level }: Finding): boolean =>
      level === 'must' || (level === 'should' && (strict || outcome === 'warn'));
    // A failed case has failed, regardless of the levels of its findings.
    const areAll = !findings.some(decides);
    return findings.map((finding) => {
      const lesser = finding.level === 'should' ? 'warn' : 'note';
      return { result, finding, weight: areAll || decides(finding) ? outcome : lesser };
    });
  });
}

/** The findings that fail or warn, without notes. */
export function weighedFindings(report: Report): readonly WeighedFinding[] {
  return allFindings(report).filter((one): one is WeighedFinding => one.weight !== 'note');
}

/** The entry of a baseline that accepts a finding of a case. */
export function entryAccepting(
  { requirement, operation, check }: Pick<CaseResult, 'requirement' | 'operation' | 'check'>,
  { id, triggers }: Pick<Finding, 'id' | 'triggers'>,
  acceptance: Acceptance,
): BaselineEntry {
  return { finding: id, requirement, operation, check, ...defined({ triggers }), ...acceptance };
}

/** Whether the case came to a word on the target. */
export function isTested({ outcome }: CaseResult): boolean {
  return outcome === 'pass' || outcome === 'fail' || outcome === 'warn';
}

type Triggers = Pick<Finding, 'triggers'>;

/** The triggers that show a finding now but did not before; empty if either side does not know its triggers. */
export function furtherTriggers(before: Triggers, after: Triggers): readonly string[] {
  const { triggers: known } = before;
  return known === undefined ? [] : (after.triggers ?? []).filter((trigger) => !known.includes(trigger));
}
