import { describeAnswer } from '../evidence/answer.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';

/** One of many probes that were answered as they must not be. */
export interface Failure {
  /** What was sent, in a word or two; empty where the statement says it. */
  readonly what: string;
  /** What ought to hold, before the colon after which `what` stands. */
  readonly statement: string;
  readonly exchange: Exchange;
}

/** Findings that one case reports at the most. */
const mostFindings = 5;
/** Failures with the same answer that are still reported one by one. */
const mostSimilar = 2;

/**
 * One violation for each failure, but for those of the same statement and answer, which are one violation that names
 * what it stands for where they are many: ten findings of one cause hide the others.
 */
export function condenseFailures(
  failures: readonly Failure[],
  rule: Pick<Violation, 'expected' | 'clause'>,
): readonly Violation[] {
  const relatedExchanges = new Map<string, Failure[]>();
  for (const failure of failures) {
    const key = `${failure.statement}: ${describeAnswer(failure.exchange)}`;
    relatedExchanges.set(key, [...(relatedExchanges.get(key) ?? []), failure]);
  }
  const groups = [...relatedExchanges.values()].flatMap((group) =>
    group.length <= mostSimilar ? group.map((failure) => [failure]) : [group],
  );
  return groups.slice(0, mostFindings).flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined) return [];
    return [
      {
        ...rule,
        statement: [first.statement, listed(group.map(({ what }) => what))]
          .filter((text) => text !== '')
          .join(': '),
        actual: describeAnswer(first.exchange),
        exchange: first.exchange,
        ...(others.length === 0 ? {} : { relatedExchanges: others.map(({ exchange }) => exchange) }),
      },
    ];
  });
}

/** At most six, the rest counted. */
function listed(whats: readonly string[]): string {
  if (whats.every((what) => what === '')) return '';
  if (whats.length <= 6) return whats.join('; ');
  return `${whats.slice(0, 5).join('; ')}; and ${whats.length - 5} more`;
}
