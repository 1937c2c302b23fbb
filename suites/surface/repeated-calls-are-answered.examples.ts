import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';

const operation = exampleOperation();

const served = exampleExchange({ step: 'inCrowd', status: 200 });

/** Examples of surface/repeated-calls-are-answered. */
export const examples: Examples = {
  passes: [{ name: 'always 200', given: { operation, exchanges: [served, served] } }],
  violates: [
    {
      name: 'once 404',
      given: { operation, exchanges: [served, exampleExchange({ step: 'inCrowd', status: 404 })] },
    },
    {
      name: 'cut off once',
      given: { operation, exchanges: [served, exampleExchange({ step: 'inCrowd', failure: 'reset' })] },
    },
  ],
  inconclusive: [
    {
      name: 'never 200',
      given: { operation, exchanges: [exampleExchange({ step: 'inCrowd', status: 404 })] },
    },
  ],
};
