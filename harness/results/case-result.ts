import type { Case } from '../checks/check.ts';
import { defined } from '../defined.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, Finding, Outcome } from '../model/report.ts';
import { rankOfLevel } from './findings-by-level.ts';

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
