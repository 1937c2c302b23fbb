import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();
const elsewhere = { way: ['semicolon'], route: 'other' };
const control = exampleExchange({ step: 'valid', status: 200, credential: 'scoped' });

/** Examples of auth/key-counts-in-its-header-alone. */
export const examples: Examples = {
  passes: [
    { name: '401', given: { operation, exchanges: [control, stranger('together', 401)] } },
    {
      name: '400, as a key in a URL is a mistake',
      given: { operation, exchanges: [control, stranger('together', 400), stranger('together', 401)] },
    },
    {
      name: 'the Idempotency-Key of another client is a conflict',
      given: { operation, exchanges: [control, stranger('together', 401), stranger('replayed', 409)] },
    },
  ],
  violates: [
    {
      name: 'an answer is kept by its Idempotency-Key',
      given: { operation, exchanges: [control, stranger('together', 401), stranger('replayed', 200)] },
    },
    {
      name: 'a key in the query is accepted',
      given: {
        operation,
        exchanges: [
          control,
          stranger('together', 200),
          stranger('bare', 401),
          stranger('single', 401),
          stranger('single', 200),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: 'no key is needed at all',
      given: { operation, exchanges: [control, stranger('together', 200), stranger('bare', 200)] },
    },
    {
      name: 'the valid call is refused too',
      given: {
        operation,
        exchanges: [exampleExchange({ step: 'valid', status: 401 }), stranger('together', 401)],
      },
    },
    {
      name: 'each way is refused in itself',
      given: { operation, exchanges: [control, stranger('together', 400), stranger('together', 431)] },
    },
    {
      name: 'another route answers with a page, and no valid call is known',
      given: {
        operation,
        exchanges: [
          stranger('together', 401),
          {
            ...exampleExchange({ step: 'together', status: 200, body: '<p>', credential: 'none' }),
            row: elsewhere,
          },
        ],
      },
    },
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
  ],
};

function stranger(step: string, status: number): Exchange {
  return exampleExchange({ step, status, credential: 'none' });
}
