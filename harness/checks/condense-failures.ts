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
 * One violation for each failure where they are few, else one for each statement and answer that names what it stands
 * for: thirty findings of one cause hide the others.
 */
export function condenseFailures(
  failures: readonly Failure[],
  rule: Pick<Violation, 'expected' | 'clause'>,
): readonly Violation[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const answer = failures.length <= mostFindings ? failure.what : describeAnswer(failure.exchange);
    const alike = `${failure.statement}: ${answer}`;
    groups.set(alike, [...(groups.get(alike) ?? []), failure]);
  }
  return [...groups.values()].slice(0, mostFindings).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        ...rule,
        statement: `${first.statement}: ${listed(group.map(({ what }) => what))}`,
        actual: describeAnswer(first.exchange),
        exchange: first.exchange,
      },
    ];
  });
}

/** At most six, the rest counted. */
function listed(whats: readonly string[]): string {
  if (whats.length <= 6) return whats.join('; ');
  return `${whats.slice(0, 5).join('; ')}; and ${whats.length - 5} more`;
}
