import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const valid = exampleExchange({ step: 'valid', status: 200, credential: 'scoped' });

export const examples: Examples = {
  operation: exampleOperation({ scope: 'catalog:read' }),
  passes: {
    refused: [valid, unscoped('together', 403)],
    'one way is refused in itself': [
      valid,
      unscoped('together', 400),
      unscoped('together', 400),
      unscoped('together', 403),
    ],
  },
  violates: {
    'accepted with one of the ways': [
      valid,
      unscoped('together', 200, ['query debug=true', 'header x-scopes']),
      unscoped('bare', 403),
      unscoped('single', 403, ['query debug=true']),
      unscoped('single', 200, ['header x-scopes']),
    ],
  },
  inconclusive: {
    'no scope is asked for at all': [valid, unscoped('together', 200), unscoped('bare', 200)],
    'each way is refused in itself': [valid, unscoped('together', 400), unscoped('together', 431)],
    'nothing was sent': [],
  },
};

function unscoped(step: string, status: number, way: readonly string[] = []): Exchange {
  return exampleExchange({ step, status, credential: 'unscoped', row: { way } });
}
