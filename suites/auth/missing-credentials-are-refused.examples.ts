import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

const refused = exampleExchange({ step: 'onFreshConnection', status: 401, credential: 'none' });

/** Examples of auth/missing-credentials-are-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with a good key in all other places',
      given: { operation: exampleOperation(), exchanges: [control, misplaced(401)] },
    },
    {
      name: 'the misplaced keys are malformed, and a call without any is refused',
      given: { operation: exampleOperation(), exchanges: [control, misplaced(400), refused] },
    },
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
      name: 'let in with a good key in another place',
      given: { operation: exampleOperation(), exchanges: [control, misplaced(200), refused] },
    },
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

function misplaced(status: number): Exchange {
  return exampleExchange({ step: 'misplaced', status, credential: 'none' });
}
