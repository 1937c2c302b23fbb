import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { mayBeMalformed } from '../../harness/requests/unusual-keys.ts';

/** One violation for each kind of response, as the seed chooses the values. */
export function unusualKeyViolations(
  unusual: readonly Exchange[],
  valid: readonly Exchange[],
): readonly Violation[] {
  const evaluation = evaluateRefusals(
    unusual.filter((exchange) => statusOf(exchange) !== 400 || !mayBeMalformed.has(descriptionOf(exchange))),
    valid,
    { status: 401, statement: (exchange) => keyHeadline('An unusual value in place of a key', exchange) },
  );
  if (evaluation.outcome !== 'violated') return [];
  const byAnswer = new Map<string, Violation>();
  for (const violation of evaluation.violations) {
    const detail = descriptionOf(violation.exchange);
    if (!byAnswer.has(violation.actual)) byAnswer.set(violation.actual, { ...violation, detail });
  }
  return [...byAnswer.values()];
}

/** Says how a call with another key than a good one was answered. */
export function keyHeadline(what: string, exchange: Exchange): string {
  return `${what} ${statusOf(exchange) === 200 ? 'was accepted' : 'was not refused with 401'}`;
}

function descriptionOf({ request }: Exchange): string {
  return request.credential.description;
}
