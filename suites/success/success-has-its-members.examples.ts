import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ responseSchema: 'Example' });

/** Examples of success/success-has-its-members. */
export const examples: Examples = {
  passes: [
    {
      name: 'members each time',
      given: { operation, exchanges: [answered({ id: 1 }), answered({ id: 2 })] },
    },
    {
      name: 'nothing at another path',
      given: { operation, exchanges: [answered({ id: 1 }), answered(null, '/other')] },
    },
  ],
  violates: [
    { name: 'null once', given: { operation, exchanges: [answered({ id: 1 }), answered(null)] } },
    {
      name: 'an empty object once',
      given: { operation, exchanges: [answered({}), answered({ id: 1 })] },
    },
  ],
  notApplicable: [{ name: 'lists alone', given: { operation, exchanges: [answered([])] } }],
};

function answered(body: unknown, path?: string): Exchange {
  const exchange = exampleExchange({ operation: operation.id, status: 200, body: JSON.stringify(body) });
  return path === undefined ? exchange : { ...exchange, request: { ...exchange.request, path } };
}
