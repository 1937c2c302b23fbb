import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'accepted each time': [at(1, 200), at(2, 200)],
    'refused from some time on': [at(1, 200), at(2, 401)],
    'refused at first': [at(1, 401), at(2, 200)],
    'the other key is refused in between': [at(1, 200), at(2, 401, 'unscoped'), at(3, 200)],
  },
  violates: {
    'refused in between': [at(1, 200), at(2, 401), at(3, 200)],
    'a probe with the key without the scope is refused in between': [1, 2, 3].map((second) => ({
      ...at(second, second === 2 ? 401 : 200, 'unscoped'),
      role: 'probe' as const,
    })),
  },
  notApplicable: { 'no valid call': [] },
};

function at(second: number, status: number, credential: 'scoped' | 'unscoped' = 'scoped'): Exchange {
  const startedAt = `2026-01-01T00:00:0${second}.000Z`;
  return exampleExchange({ status, role: 'control', credential, body: '{}', startedAt });
}
