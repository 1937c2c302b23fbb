import type { PassiveCheck } from '../../harness/checks/check.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'HYGIENE-4',
  title: 'a 401 carries WWW-Authenticate',
  applies: ({ auth }) => auth === 'api-key',
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    if (statusOf(exchange) !== 401) return undefined;
    if ((headerOf(exchange, 'www-authenticate') ?? '').trim() !== '') return 'holds';
    return {
      statement: 'a 401 carries WWW-Authenticate',
      expected: 'WWW-Authenticate, as RFC 9110 asks for',
      actual: 'none',
      exchange,
    };
  },
};

export default check;
