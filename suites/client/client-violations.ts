import { defined } from '../../harness/defined.ts';
import { describeAnswer, hasStatus, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import { groupsOf } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import {
  allowedBy,
  byLength,
  deviationOf,
  factorsIn,
  isOnlyWhole,
  mayBeRefused,
  plainerThan,
  refusedCoding,
  valuesOf,
} from './client-answers.ts';

const userAgent = 'user-agent';

/** Clients that a firewall refuses by their names; other checks report pages for anything else in a call. */
export function blockedInFront(sent: readonly Exchange[]): readonly Violation[] {
  const agentsOf = ({ row }: Exchange): readonly string[] => [row?.[userAgent] ?? []].flat();
  const accepted = new Set(sent.filter(isOk).flatMap(agentsOf));
  const isOfAgent = (one: Exchange): boolean => agentsOf(one).some((agent) => !accepted.has(agent));
  const blocked = sent.filter((one) => isBlockedInFront(one));
  const [exchange, ...relatedExchanges] = blocked.toSorted(byFewest);
  // Where the firewall blocks anything else, that may be the reason each time.
  if (exchange === undefined || !blocked.every(isOfAgent)) return [];
  return [
    {
      statement: `A firewall blocked a valid call for its User-Agent: ${agentsOf(exchange).join(', ')}`,
      expected: '200',
      actual: describeAnswer(exchange),
      clause: 'blocked-in-front',
      exchange,
      relatedExchanges,
    },
  ];
}

/** One violation for each response that certain changes got most times, and more than once. */
export function violationsOf(
  sent: readonly Exchange[],
  operation: Operation,
  valid: readonly Exchange[],
): readonly Violation[] {
  const causes = groupsOf(sent, ({ row }) => row).flatMap((calls) => {
    const [{ row }] = calls;
    const plainer = plainerThan(valuesOf(row)).map(({ factor, id }) => JSON.stringify({ [factor]: [id] }));
    const isPlainerAccepted = sent.some((one) => plainer.includes(JSON.stringify(one.row)) && isOk(one));
    const isExcused = (one: Exchange): boolean =>
      mayBeRefused(one, operation, [...sent, ...valid]) &&
      !(isPlainerAccepted && hasStatus(one, ...allowedBy(row)));
    const failed = calls.filter((one) => deviationOf(one, operation) !== undefined && !isExcused(one));
    return failed.length < 2 || failed.length <= calls.length / 2 ? [] : failed.slice(0, 1);
  });
  const unknown = sent.filter((one) => isOnlyWhole(one) && mayBeRefused(one, operation, [...sent, ...valid]));
  return [
    // Violations without a common value have different causes.
    ...groupsOf(causes.toSorted(byLength), (one) => [deviationOf(one, operation), factorsIn(one)]),
    ...(unknown.length > 0 ? [unknown.slice(0, 1)] : []),
  ].map((alike) => {
    const isOfQuery = alike.every((one) => String(factorsIn(one)) === 'query');
    const [exchange, ...relatedExchanges] = alike;
    const labels = alike.slice(0, 4).map(({ label }) => label);
    const actual = deviationOf(exchange, operation) ?? '';
    return {
      statement: isOfQuery
        ? `A valid call failed with another query: ${labels.join('; ').replaceAll(/(?<=^|; )query /g, '')}`
        : `A valid call failed for other clients: ${labels.join('; ')}`,
      expected: '200',
      actual,
      kind: [actual, ...factorsIn(exchange)].join(' '),
      ...defined({
        clause: clauseOf(exchange) ?? (unknown.includes(exchange) ? 'whole-address' : undefined),
      }),
      exchange,
      relatedExchanges,
    };
  });
}

/** Many libraries for servers only look whether the coding is named (Django, Starlette), and few clients refuse one. */
function clauseOf(exchange: Exchange): string | undefined {
  const accepted = exchange.request.headers.find(([name]) => name === 'accept-encoding')?.[1] ?? '';
  const coding = isOk(exchange) ? refusedCoding(exchange)?.replace(/^x-/, '') : undefined;
  const isNamed = accepted.split(',').some((one) => one.split(';')[0]?.trim() === coding);
  return coding !== undefined && isNamed ? 'coding-of-no-weight' : undefined;
}

function byFewest(one: Exchange, other: Exchange): number {
  return valuesOf(one.row).length - valuesOf(other.row).length;
}
