import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

export const examples: Examples = {
  passes: { 'served again': [at(0, 429), at(1, 200)] },
  violates: { 'throttled for a minute': [at(0, 200), at(1, 429), at(62, 429)] },
  inconclusive: {
    'throttled to the end of a short run': [at(0, 429), at(5, 429)],
    'served again elsewhere': [at(0, 429), at(5, 200, 'getPublicBootstrap')],
  },
  notApplicable: { 'never throttled': [at(0, 200)] },
};

function at(second: number, status: number, of: string = operation.id): Exchange {
  return exampleExchange({ status, operation: of, startedAt: new Date(second * 1000).toISOString() });
}
