import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { differences, holdsScope, identityIn, scope } from './identities.ts';

const check: CollectiveCheck = {
  kind: 'collective',
  requirement: 'AUTH-5',
  title: 'no call of the run with a key without the scope shows the identity of the key that holds it',
  applies: ({ role }) => role === 'identifies-key',
  dedupeKey: (exchange) => {
    const { kind } = exchange.request.credential;
    if ((kind !== 'scoped' && kind !== 'unscoped') || statusOf(exchange) !== 200) return undefined;
    // Hardly any response names it.
    const identity = exchange.response?.body.text.includes(scope) ? identityIn(exchange) : undefined;
    return `${exchange.operation} ${kind} ${identity !== undefined && holdsScope(identity)}`;
  },
  evaluate: ({ operation, exchanges }) => {
    const identities = exchanges.flatMap((exchange) => {
      const leaves = exchange.operation === operation.id ? identityIn(exchange) : undefined;
      const { kind } = exchange.request.credential;
      return leaves === undefined ? [] : [{ exchange, leaves, kind, isHolder: holdsScope(leaves) }];
    });
    const ofHolder = identities.filter(({ kind, isHolder }) => kind === 'scoped' && isHolder);
    const ofOther = identities.filter(({ kind }) => kind === 'unscoped');
    if (ofHolder.length === 0 || ofOther.length === 0)
      return notApplicable('the identities of the two keys were not seen, or name no scope');
    const [first, last = first] = [ofHolder[0], ofHolder.at(-1)];
    const volatile = new Set(first && last ? differences(first.leaves, last.leaves) : []);
    const wrong = ofOther.filter(
      ({ leaves, isHolder }) =>
        isHolder &&
        ofHolder.some((one) => differences(one.leaves, leaves).every((pointer) => volatile.has(pointer))),
    );
    return violatedOr(
      wrong.slice(0, 1).map(({ exchange }) => ({
        statement: 'The identity of another key was returned',
        expected: 'the identity of the key that asks',
        actual: '200 with the identity of the other key',
        exchange,
      })),
      () => pass('the identity of the key with the scope was shown to no other'),
    );
  },
};

export default check;
