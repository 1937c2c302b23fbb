import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { membersShown } from '../../harness/checks/error-shape.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SUCCESS-5',
  title: 'the 200 bodies of the session operations have members in common',
  applies: ({ role }) => role?.endsWith('-session') === true,
  dedupeKey: (exchange) => {
    const names = membersShown(exchange);
    return names.length === 0 ? undefined : `${exchange.operation} ${names.join(' ')}`;
  },
  look: (mine, { operation: { id, peers = {} }, exchanges }) => {
    const sessions = new Set(Object.values(peers));
    const others = [...sessions]
      .filter((peer) => peer !== id)
      .map((peer) => new Set(exchanges.flatMap((one) => (one.operation === peer ? membersShown(one) : []))));
    const [first = new Set<string>(), ...rest] = others;
    const common = [...first].filter((name) => rest.every((names) => names.has(name)));
    if (mine.length === 0 || others.length < 2 || common.length === 0)
      return 'there were no bodies of three operations to compare';
    const known = new Set(others.flatMap((names) => [...names]));
    const isForeign = (one: Exchange): boolean => membersShown(one).every((name) => !known.has(name));
    // A body that comes and goes is a matter of its own; this one is how the operation answers.
    const foreign = mine.every(isForeign) ? mine : [];
    return foreign.map((exchange) => ({
      expected: `a member that the others have (${common.sort().join(', ')})`,
      actual: `200 with ${membersShown(exchange).join(', ')}`,
      exchange,
    }));
  },
  statement: 'A 200 body shares no member with those of the other session operations',
  passes: 'shares members with the other session operations',
});
