import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

const control = exampleExchange({ role: 'control', status: 200 });

/** Label of the values that the seed draws: which these are stands in their credentials. */
const drawn = 'an odd value in place of a key';

/** Examples of auth/invalid-key-is-refused. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 401',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 401, credential: 'invalid' })],
      },
    },
    {
      name: 'a very long value is called malformed',
      given: {
        operation: exampleOperation(),
        exchanges: [
          control,
          exampleExchange({ status: 401, credential: 'invalid' }),
          odd('a very long value in place of a key', 400),
        ],
      },
    },
  ],
  violates: [
    {
      name: 'a near miss is let in',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 200, credential: 'invalid' })],
      },
    },
    {
      name: 'refused with 400',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 400, credential: 'invalid' })],
      },
    },
    {
      name: 'an odd value is let in',
      given: {
        operation: exampleOperation(),
        exchanges: [control, exampleExchange({ status: 401, credential: 'invalid' }), odd('null', 200)],
      },
    },
  ],
  inconclusive: [
    {
      name: 'the good key is refused as well',
      given: {
        operation: exampleOperation(),
        exchanges: [
          exampleExchange({ role: 'control', status: 401 }),
          exampleExchange({ status: 401, credential: 'invalid' }),
        ],
      },
    },
  ],
};

function odd(description: string, status: number): Exchange {
  const exchange = exampleExchange({ status, label: drawn, credential: 'invalid' });
  return { ...exchange, request: { ...exchange.request, credential: { kind: 'invalid', description } } };
}
