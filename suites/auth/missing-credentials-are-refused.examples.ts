import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

/** Examples of auth/missing-credentials-are-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused on both connections',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({
            step: 'onSameConnection',
            status: 401,
            credential: 'none',
            connection: 'reused',
          }),
          exampleExchange({
            step: 'onFreshConnection',
            status: 401,
            credential: 'none',
            connection: 'fresh',
          }),
        ],
      },
    },
  ],
  violates: [
    {
      name: 'let in on the connection that was authenticated',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({
            step: 'onSameConnection',
            status: 200,
            credential: 'none',
            connection: 'reused',
          }),
        ],
      },
    },
    {
      name: 'refused with 403',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ step: 'onFreshConnection', status: 403, credential: 'none' })],
      },
    },
    {
      name: 'let in though no valid call is known',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'onFreshConnection', status: 200, credential: 'none' })],
      },
    },
  ],
  inconclusive: [
    {
      name: 'refused, but no valid call is known',
      given: {
        operation: exampleOperation(),
        exchanges: [exampleExchange({ step: 'onFreshConnection', status: 401, credential: 'none' })],
      },
    },
  ],
};
