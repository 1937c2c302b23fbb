import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ scope: 'catalog:read' });
const valid = exampleExchange({ step: 'valid', status: 200, credential: 'scoped' });

/** Examples of scope/nothing-stands-for-the-scope. */
export const examples: Examples = {
  passes: [
    { name: 'refused', given: { operation, exchanges: [valid, unscoped('together', 403)] } },
    {
      name: 'one way is refused in itself',
      given: {
        operation,
        exchanges: [valid, unscoped('together', 400), unscoped('together', 400), unscoped('together', 403)],
      },
    },
  ],
  violates: [
    {
      name: 'accepted with one of the ways',
      given: {
        operation,
        exchanges: [
          valid,
          unscoped('together', 200, ['query debug=true', 'header x-scopes']),
          unscoped('bare', 403),
          unscoped('single', 403, ['query debug=true']),
          unscoped('single', 200, ['header x-scopes']),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'no scope is asked for at all',
      given: { operation, exchanges: [valid, unscoped('together', 200), unscoped('bare', 200)] },
    },
    {
      name: 'each way is refused in itself',
      given: { operation, exchanges: [valid, unscoped('together', 400), unscoped('together', 431)] },
    },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};

function unscoped(step: string, status: number, way: readonly string[] = []): Exchange {
  return exampleExchange({ step, status, credential: 'unscoped', row: { way } });
}
