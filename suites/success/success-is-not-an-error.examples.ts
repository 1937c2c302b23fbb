import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const error = answered(404, { code: 'x', message: 'y' }, 'readOther');

/** Examples of success/success-is-not-an-error. */
export const examples: Examples = {
  passes: [
    {
      name: 'a result of its own shape',
      given: { operation, exchanges: [error, answered(200, { slug: 'linen' })] },
    },
    {
      name: 'a result with fields called like those of errors',
      given: { operation, exchanges: [error, answered(200, { code: 'ok', message: 'y', data: {} })] },
    },
    {
      name: 'one envelope for results and errors',
      given: {
        operation,
        exchanges: [
          answered(404, { code: 1, data: null }, 'readOther'),
          answered(200, { code: 0, data: null }),
          answered(200, { code: 0, data: {} }, 'readOther'),
        ],
      },
    },
  ],
  violates: [
    {
      name: 'an error under 200',
      given: { operation, exchanges: [error, answered(200, { code: 'z', message: 'failed' })] },
    },
    {
      name: 'an error under 200 beside results',
      given: {
        operation,
        exchanges: [error, answered(200, { slug: 'a' }), answered(200, { code: 'z', message: 'failed' })],
      },
    },
  ],
  notApplicable: [
    {
      name: 'a result under 500',
      given: { operation, exchanges: [answered(500, { slug: 'a' }), answered(200, { slug: 'a' })] },
    },
    { name: 'no error was seen', given: { operation, exchanges: [answered(200, { slug: 'a' })] } },
    { name: 'no 200 was seen', given: { operation, exchanges: [error] } },
  ],
};

function answered(status: number, body: object, operationId?: string): Exchange {
  return exampleExchange({
    status,
    body: JSON.stringify(body),
    ...(operationId === undefined ? {} : { operation: operationId }),
  });
}
