import { describeAnswer } from '../recording/answer.ts';
import type { Exchange } from '../recording/exchange.ts';
import type { Violation } from './judgement.ts';

/** One of many probes that were answered as they must not be. */
export interface Failure {
  /** What was sent, in a word or two. */
  readonly what: string;
  /** What ought to hold, before the colon after which `what` stands. */
  readonly statement: string;
  readonly exchange: Exchange;
}

/** Findings that one case reports of one kind at the most. */
const mostFindings = 5;

/**
 * One violation for each failure where they are few, else one for each statement and answer that names all it stands
 * for: thirty findings of one cause hide the others.
 */
export function condenseFailures(
  failures: readonly Failure[],
  rule: Pick<Violation, 'expected' | 'clause'>,
): readonly Violation[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const alike =
      failures.length <= mostFindings
        ? failure.exchange.id
        : `${failure.statement} ${describeAnswer(failure.exchange)}`;
    groups.set(alike, [...(groups.get(alike) ?? []), failure]);
  }
  return [...groups.values()].slice(0, mostFindings).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        ...rule,
        statement: `${first.statement}: ${group.map(({ what }) => what).join('; ')}`,
        actual: describeAnswer(first.exchange),
        exchange: first.exchange,
      },
    ];
  });
}
