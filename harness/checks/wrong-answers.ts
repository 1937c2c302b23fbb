import { defined } from '../defined.ts';
import { describeAnswer, riderCount } from '../evidence/answer.ts';
import { groupBy, groupsOf } from '../group-by.ts';
import type { Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';

export interface WrongAnswers extends Pick<Violation, 'expected'> {
  /** The headline, followed by a colon and the value sent. */
  readonly statement: (exchange: Exchange) => string;
  /** The value sent, in a word or two: the label if absent, empty if the statement names it. */
  readonly what?: (exchange: Exchange) => string;
  /** The earlier call without which the same call is answered correctly. */
  readonly company?: (exchange: Exchange) => string | undefined;
  /** The part that distinguishes a call from others under the same statement. */
  readonly told?: (exchange: Exchange) => Pick<Violation, 'headline' | 'fix' | 'detail'> | undefined;
  /** The weaker clause that it violates; undefined for the requirement itself. */
  readonly clauseOf?: (exchange: Exchange) => string | undefined;
}

/** Findings that one case reports at most. */
const mostFindings = 5;

/** Calls with the same response that are still reported one by one. */
const mostSimilar = 2;

/**
 * One violation for each call; many calls with the same statement and response become one violation that lists what they
 * sent, because ten findings of one cause would hide the others.
 */
export function wrongAnswers(wrong: readonly Exchange[], rule: WrongAnswers): readonly Violation[] {
  const {
    expected,
    statement,
    what = ({ label }) => label,
    company,
    told,
    clauseOf = () => undefined,
  } = rule;
  return [...groupBy(wrong, clauseOf)].flatMap(([clause, ofClause]) => {
    const alike = groupsOf(ofClause, (one) => [statement(one), describeAnswer(one), told?.(one)?.headline]);
    const groups = alike.flatMap((group): typeof alike =>
      group.length <= mostSimilar ? group.map((one) => [one]) : [group],
    );
    return groups.slice(0, mostFindings).flatMap((group): readonly Violation[] => {
      const [exchange, ...others] = byRiders(group);
      if (exchange === undefined) return [];
      const sent = listed([exchange, ...others].map(what));
      return [
        {
          expected,
          ...defined({ clause }),
          ...told?.(exchange),
          statement: [statement(exchange), sent].filter((text) => text !== '').join(': '),
          actual: describeAnswer(exchange),
          exchange,
          ...defined({ company: company?.(exchange) }),
          ...(others.length > 0 && { relatedExchanges: others }),
        },
      ];
    });
  });
}

/** Calls with the fewest irrelevant variations first, because the first one is shown. */
function byRiders(calls: readonly Exchange[]): readonly Exchange[] {
  return calls.toSorted((a, b) => riderCount(a) - riderCount(b));
}

function listed(whats: readonly string[]): string {
  if (whats.every((what) => what === '')) return '';
  if (whats.length <= 6) return whats.join('; ');
  return `${whats.slice(0, 5).join('; ')}; and ${whats.length - 5} more`;
}
