import type { PassiveCheck } from '../../harness/checks/check.ts';
import { mayBeAnotherRoute, statusOf } from '../../harness/evidence/answer.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-1',
  title: 'success is 200, never another 2xx or a redirect',
  applies: () => true,
  notApplicableReason: () => undefined,
  evaluate: (exchange) => {
    const status = statusOf(exchange);
    if (mayBeAnotherRoute(exchange) || status === undefined || status >= 400) return undefined;
    if (status === 200) return 'holds';
    return {
      statement: 'A success was answered with a status other than 200',
      expected: '200',
      actual: String(status),
      exchange,
    };
  },
};
