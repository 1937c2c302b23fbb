import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ responseSchema: 'Example' });

export const examples: Examples = {
  operation,
  passes: {
    'members each time': [answered({ id: 1 }), answered({ id: 2 })],
    'nothing at another path': [answered({ id: 1 }), answered(null, '/other')],
  },
  violates: {
    'null once': [answered({ id: 1 }), answered(null)],
    'an empty object once': [answered({}), answered({ id: 1 })],
  },
  notApplicable: { 'lists alone': [answered([])] },
};

function answered(body: unknown, path?: string): Exchange {
  const request = path === undefined ? {} : { path };
  return exampleExchange({ operation: operation.id, status: 200, body: JSON.stringify(body), request });
}
