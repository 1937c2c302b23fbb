import type { PassiveCheck } from '../../harness/checks/check.ts';
import { everyAnswer } from '../../harness/checks/every-answer.ts';
import { headerOf, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = everyAnswer({
  requirement: 'HYGIENE-4',
  title: 'a 401 response has a WWW-Authenticate header',
  applies: ({ auth }) => auth === 'api-key',
  statement: 'A 401 response lacks the WWW-Authenticate header',
  expected: 'WWW-Authenticate, as RFC 9110 requires',
  look: (exchange) => {
    if (statusOf(exchange) !== 401) return undefined;
    return (headerOf(exchange, 'www-authenticate') ?? '').trim() === '' ? 'none' : 'holds';
  },
});
