import { describeAnswer } from '../evidence/answer.ts';
import { groupBy } from '../group-by.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';

/** One of many probes with a wrong response. */
export interface Failure {
  /** The input, in a word or two; empty where the statement names it. */
  readonly what: string;
  /** The headline, which `what` follows after a colon. */
  readonly statement: string;
  readonly exchange: Exchange;
  /** Without which the same call is answered rightly. */
  readonly company?: string | undefined;
  /** What tells it apart from others under the same statement. */
  readonly told?: Pick<Violation, 'headline' | 'fix' | 'detail'> | undefined;
}

/** Findings that one case reports at most. */
const mostFindings = 5;
/** Failures with the same response that are still reported one by one. */
const mostSimilar = 2;

/**
 * One violation for each failure; many failures with the same statement and response become one violation that lists
 * their inputs, as ten findings of one cause would hide the others.
 */
export function condenseFailures(
  failures: readonly Failure[],
  rule: Pick<Violation, 'expected' | 'clause'>,
): readonly Violation[] {
  const byResponse = groupBy(
    failures,
    ({ statement, exchange, told }) => `${statement}: ${describeAnswer(exchange)} ${told?.headline ?? ''}`,
  );
  const groups = [...byResponse.values()].flatMap((group) =>
    group.length <= mostSimilar ? group.map((failure) => [failure]) : [group],
  );
  return groups.slice(0, mostFindings).flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    return [
      {
        ...rule,
        ...first.told,
        statement: [first.statement, listed(group.map(({ what }) => what))]
          .filter((text) => text !== '')
          .join(': '),
        actual: describeAnswer(first.exchange),
        exchange: first.exchange,
        ...(first.company === undefined ? {} : { company: first.company }),
        ...(others.length === 0 ? {} : { relatedExchanges: others.map(({ exchange }) => exchange) }),
      },
    ];
  });
}

/** Lists at most six inputs, and counts the rest. */
function listed(whats: readonly string[]): string {
  if (whats.every((what) => what === '')) return '';
  if (whats.length <= 6) return whats.join('; ');
  return `${whats.slice(0, 5).join('; ')}; and ${whats.length - 5} more`;
}
