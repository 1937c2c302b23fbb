import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({});

/** Examples of auth/good-key-stays-accepted. */
export const examples: Examples = {
  passes: [
    { name: 'accepted each time', given: { operation, exchanges: [at(1, 200), at(2, 200)] } },
    { name: 'refused from some time on', given: { operation, exchanges: [at(1, 200), at(2, 401)] } },
    { name: 'refused at first', given: { operation, exchanges: [at(1, 401), at(2, 200)] } },
    {
      name: 'the other key is refused in between',
      given: { operation, exchanges: [at(1, 200), at(2, 401, 'unscoped'), at(3, 200)] },
    },
  ],
  violates: [
    {
      name: 'refused in between',
      given: { operation, exchanges: [at(1, 200), at(2, 401), at(3, 200)] },
    },
    {
      name: 'a probe with the key without the scope is refused in between',
      given: {
        operation,
        exchanges: [1, 2, 3].map((second) => ({
          ...at(second, second === 2 ? 401 : 200, 'unscoped'),
          role: 'probe' as const,
        })),
      },
    },
  ],
  notApplicable: [{ name: 'no valid call', given: { operation, exchanges: [] } }],
};

function at(second: number, status: number, credential: 'scoped' | 'unscoped' = 'scoped'): Exchange {
  return {
    ...exampleExchange({ status, role: 'control', credential, body: '{}' }),
    startedAt: `2026-01-01T00:00:0${second}.000Z`,
  };
}
