import { describeAnswer, statusOf } from '../evidence/answer.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { condenseFailures } from './condense-failures.ts';
import { inconclusive, pass, violatedOr } from './outcomes.ts';

/** What a refusal is judged against. */
export interface RefusalRule {
  /** The status with which every probe must be refused. */
  readonly status: 401 | 403;
  /** The probes differ in what they are refused for, so that findings name them. */
  readonly namesProbes?: true;
  /** What ought to hold of one probe, such as `an unknown key is refused`. */
  readonly statement: (probe: Exchange) => string;
}

/**
 * Judges probes that differ from the control in their credential alone. A probe that is let in is a violation whatever
 * the control says; any other answer counts only after the control was shown to be let in.
 */
export function evaluateRefusals(exchanges: readonly Exchange[], rule: RefusalRule): Evaluation {
  const probes = exchanges.filter(({ role }) => role === 'probe');
  const controls = exchanges.filter(({ role }) => role === 'control');
  if (probes.length === 0) return inconclusive('no call was made that ought to be refused');
  const letIn = controls.some(wasLetIn);
  const failures = probes
    .filter((probe) => statusOf(probe) !== rule.status && (letIn || statusOf(probe) === 200))
    .map((exchange) => ({
      what: rule.namesProbes === true ? exchange.label : '',
      statement: rule.statement(exchange),
      exchange,
    }));
  const violations = condenseFailures(failures, { expected: String(rule.status) });
  return violatedOr(violations, () => {
    if (letIn) return pass(`refused with ${rule.status} in ${probes.length} of ${probes.length} calls`);
    const control = controls.at(-1);
    return inconclusive(
      control === undefined
        ? 'refused, but no valid call is known that is not'
        : `refused, but so was the valid call, with ${describeAnswer(control)}`,
    );
  });
}

/** The call got past authentication and authorisation: it succeeded, or met a conflict of state. */
function wasLetIn(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 200 || status === 409;
}
