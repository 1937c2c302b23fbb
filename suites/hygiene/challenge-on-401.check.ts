import type { PassiveCheck } from '../../harness/checks/check.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-4',
  title: 'a 401 response has a WWW-Authenticate header',
  applies: ({ auth }) => auth === 'api-key',
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    if (statusOf(exchange) !== 401) return undefined;
    if ((headerOf(exchange, 'www-authenticate') ?? '').trim() !== '') return 'holds';
    return {
      statement: 'A 401 response lacks the WWW-Authenticate header',
      expected: 'WWW-Authenticate, as RFC 9110 requires',
      actual: 'none',
      exchange,
    };
  },
};
