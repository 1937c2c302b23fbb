import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'a' });

/** Examples of errors/error-bodies-share-one-shape. */
export const examples: Examples = {
  passes: [
    {
      name: 'one shape, with optional members',
      given: {
        operation,
        exchanges: [
          error('a', 404, { code: 'x', message: 'y' }),
          error('b', 400, { code: 'x', message: 'y', details: [] }),
        ],
      },
    },
    {
      name: 'a member that is null here and an object elsewhere',
      given: {
        operation,
        exchanges: [
          error('a', 403, { code: 'x', cause: null }),
          error('b', 403, { code: 'x', cause: { code: 1 } }),
          error('c', 403, { code: 'x', cause: { code: 1 } }),
        ],
      },
    },
    {
      name: 'an empty map that is written as a list, and filled ones elsewhere',
      given: {
        operation,
        exchanges: [
          error('a', 403, { code: 'x', meta: { by: 'a' } }),
          error('b', 403, { code: 'x', meta: [] }),
          error('c', 403, { code: 'x', meta: [] }),
        ],
      },
    },
    {
      name: 'one status lacks a member everywhere',
      given: {
        operation,
        exchanges: [
          error('a', 401, { code: 'x' }),
          error('b', 401, { code: 'x' }),
          error('a', 404, { code: 'x', message: 'y' }),
          error('b', 404, { code: 'x', message: 'y' }),
        ],
      },
    },
  ],
  violates: [
    {
      name: 'nothing in common with the others',
      given: {
        operation,
        exchanges: [
          error('a', 404, { error: { code: 'x' } }),
          error('b', 404, { code: 'x', message: 'y' }),
          error('c', 401, { code: 'x', message: 'y' }),
        ],
      },
    },
    {
      name: 'lacks what the same status has elsewhere',
      given: {
        operation,
        exchanges: [
          error('a', 404, { code: 'x' }),
          error('b', 404, { code: 'x', message: 'y' }),
          error('c', 404, { code: 'x', message: 'y' }),
        ],
      },
    },
    {
      name: 'another type for a member',
      given: {
        operation,
        exchanges: [
          error('a', 404, { code: 4 }),
          error('b', 404, { code: 'x' }),
          error('c', 404, { code: 'y' }),
        ],
      },
    },
  ],
  inconclusive: [
    { name: 'nothing to compare with', given: { operation, exchanges: [error('a', 404, { code: 'x' })] } },
    { name: 'no error seen', given: { operation, exchanges: [error('b', 404, { code: 'x' })] } },
  ],
};

function error(of: string, status: number, body: object): Exchange {
  return { ...exampleExchange({ operation: of, status, body: JSON.stringify(body) }), id: `${of}/${status}` };
}
