import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

/** Examples of auth/invalid-key-is-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 401',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ step: 'nearMiss', status: 401, credential: 'invalid' })],
      },
    },
    {
      name: 'a very long value is called malformed',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({ step: 'nearMiss', status: 401, credential: 'invalid' }),
          unusual('a very long value in place of a key', 400),
        ],
      },
    },
  ],
  violates: [
    {
      name: 'a near miss is let in',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ step: 'nearMiss', status: 200, credential: 'invalid' })],
      },
    },
    {
      name: 'refused with 400',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ step: 'nearMiss', status: 400, credential: 'invalid' })],
      },
    },
    {
      name: 'an unusual value is let in',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({ step: 'nearMiss', status: 401, credential: 'invalid' }),
          unusual('null', 200),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'the good key is refused as well',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ step: 'valid', status: 401 }),
          exampleExchange({ step: 'nearMiss', status: 401, credential: 'invalid' }),
        ],
      },
    },
  ],
};

function unusual(description: string, status: number): Exchange {
  const exchange = exampleExchange({ step: 'unusual', status, credential: 'invalid' });
  return { ...exchange, request: { ...exchange.request, credential: { kind: 'invalid', description } } };
}
