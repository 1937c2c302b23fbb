import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { cachedFix, cachedKind } from '../../harness/results/causes/cached-answer.ts';
import { holdersIn, holdsScope, identitiesIn, ofHolder, scope } from './identities.ts';
import { idsIn, sharedIdentities } from './shared-identities.ts';

const byTurns = {
  statement: 'Both keys got one identity at some moments, and another one at others',
  actual: '200 with an identity that both keys get at times',
  kind: cachedKind,
  fix: cachedFix,
};

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'AUTH-5',
  title: 'no call with one key returns the identity of the other one',
  applies: ({ role }) => role === 'identifies-key' || role === 'identifies-installation',
  dedupeKey: (exchange) => {
    const { kind } = exchange.request.credential;
    if ((kind !== 'scoped' && kind !== 'unscoped') || !isOk(exchange)) return undefined;
    // Hardly any response names it.
    const isNaming = exchange.response?.body.text.includes(scope) === true;
    const isHolder = isNaming && identitiesIn([exchange]).some(({ leaves }) => holdsScope(leaves));
    return `${exchange.operation} ${kind} ${isHolder} ${idsIn(exchange)}`;
  },
  look: (mine) => {
    const identities = identitiesIn(mine);
    const shared = sharedIdentities(identities);
    if (shared !== undefined) {
      const steps = shared.map(({ exchange }) => exchange);
      return [{ ...byTurns, exchange: shared[1].exchange, steps }];
    }
    if (holdersIn(identities).length === 0 || !identities.some(({ key }) => key === 'unscoped'))
      return 'the identities of the two keys were not observed, or they list no scope';
    return ofHolder(identities).map(({ exchange }) => exchange);
  },
  statement: 'The identity of another key was returned',
  expected: 'the identity of the calling key',
  actual: '200 with the identity of the other key',
  passes: 'no other key got the identity of the key with the scope',
});
