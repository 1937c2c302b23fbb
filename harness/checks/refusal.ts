import { describeAnswer, hasStatus, isBlockedInFront, statusOf } from '../evidence/answer.ts';
import type { Evaluation, Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import { inconclusive, notTested, pass, violatedOr } from './outcomes.ts';
import { type WrongAnswers, wrongAnswers } from './wrong-answers.ts';

export interface RefusalRule extends Omit<WrongAnswers, 'expected' | 'statement'> {
  readonly status: 400 | 401 | 403;
  /** Begins the headline for a call that was not refused, such as `An unknown key`. */
  readonly subject: (exchange: Exchange) => string;
}

export function refusalViolations(
  wrong: readonly Exchange[],
  { status, subject, ...rule }: RefusalRule,
): readonly Violation[] {
  const what = (exchange: Exchange): string =>
    statusOf(exchange) === 200 ? 'was accepted' : `was not refused with ${status}`;
  const statement = (exchange: Exchange): string => `${subject(exchange)} ${what(exchange)}`;
  return wrongAnswers(wrong, { ...rule, expected: String(status), statement });
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
  // A state conflict comes after authentication and authorization.
  const isControlAccepted = controls.some((one) => hasStatus(one, 200, 409));
  const isRefused = probes.some((probe) => statusOf(probe) === rule.status);
  /** Whether a firewall answered, which says nothing of keys where others were refused as they must be. */
  const isBlocked = (probe: Exchange): boolean =>
    statusOf(probe) !== rule.status && isRefused && isBlockedInFront(probe);
  const wrong = probes.filter(
    (probe) =>
      statusOf(probe) !== rule.status && (isControlAccepted || statusOf(probe) === 200) && !isBlocked(probe),
  );
  return violatedOr(refusalViolations(wrong, { what: () => '', ...rule }), () => {
    const blocked = probes.filter(isBlocked).length;
    if (blocked > 0) return notTested(`a firewall answered ${blocked} of ${probes.length} calls with 403`);
    if (isControlAccepted)
      return pass(`refused with ${rule.status} in ${probes.length} of ${probes.length} calls`);
    const control = controls.at(-1);
    return inconclusive(
      control === undefined
        ? 'refused, but no valid call is known to compare with'
        : `refused, but the valid call was answered ${describeAnswer(control)}`,
    );
  });
}
