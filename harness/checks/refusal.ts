import { describeAnswer, statusOf } from '../evidence/answer.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { condenseFailures, type Failure } from './condense-failures.ts';
import { inconclusive, pass, violatedOr } from './outcomes.ts';

/** How probes must be refused. */
export interface RefusalRule {
  readonly status: 401 | 403;
  /** Begins the headline for a probe that was not refused, such as `An unknown key`. */
  readonly subject: (probe: Exchange) => string;
  /** What a probe is to be refused for, where probes differ in that. */
  readonly what?: (probe: Exchange) => string;
  /** What came before a probe, where only that explains its response. */
  readonly company?: (probe: Exchange) => string | undefined;
  /** What tells a probe apart from others with the same headline. */
  readonly told?: (probe: Exchange) => Failure['told'];
}

/**
 * Evaluates probes that differ from the control in their credential alone. A probe that is accepted is a violation
 * whatever the control got; any other response counts only once a control was accepted.
 */
export function evaluateRefusals(
  probes: readonly Exchange[],
  controls: readonly Exchange[],
  rule: RefusalRule,
): Evaluation {
  if (probes.length === 0) return inconclusive('no call was sent that must be refused');
  const isControlAccepted = controls.some(wasAccepted);
  const failures = probes
    .filter((probe) => statusOf(probe) !== rule.status && (isControlAccepted || statusOf(probe) === 200))
    .map((exchange) => ({
      what: rule.what?.(exchange) ?? '',
      statement: `${rule.subject(exchange)} ${statusOf(exchange) === 200 ? 'was accepted' : `was not refused with ${rule.status}`}`,
      company: rule.company?.(exchange),
      told: rule.told?.(exchange),
      exchange,
    }));
  const violations = condenseFailures(failures, { expected: String(rule.status) });
  return violatedOr(violations, () => {
    if (isControlAccepted)
      return pass(`refused with ${rule.status} in ${probes.length} of ${probes.length} calls`);
    const control = controls.at(-1);
    return inconclusive(
      control === undefined
        ? 'refused, but no valid call is known to compare with'
        : `refused, but so was the valid call, with ${describeAnswer(control)}`,
    );
  });
}

/** Whether the call passed authentication and authorization: it succeeded, or met a state conflict. */
function wasAccepted(exchange: Exchange): boolean {
  return [200, 409].includes(statusOf(exchange) ?? 0);
}
