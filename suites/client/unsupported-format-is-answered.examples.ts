import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

/** Examples of client/unsupported-format-is-answered. */
export const examples: Examples = {
  passes: [
    {
      name: 'the preference is ignored',
      given: { operation, exchanges: [exampleExchange({ step: 'page', status: 200 })] },
    },
    {
      name: 'an Accept header that cannot be read is refused with an error body',
      given: { operation, exchanges: [exampleExchange({ step: 'asterisk', status: 400 })] },
    },
    {
      name: 'a compressed body is refused with an error body',
      given: {
        operation: exampleOperation({ method: 'POST', requestSchema: 'ExampleRequest' }),
        exchanges: [exampleExchange({ step: 'compressed', status: 400 })],
      },
    },
  ],
  violates: [
    {
      name: 'an undeclared status',
      given: { operation, exchanges: [exampleExchange({ step: 'page', status: 406 })] },
    },
    {
      name: 'an error without a body',
      given: { operation, exchanges: [exampleExchange({ step: 'unreadable', status: 400, body: '' })] },
    },
    {
      name: 'a page',
      given: {
        operation,
        exchanges: [
          exampleExchange({ step: 'page', status: 200, contentType: 'text/html', body: '<p>Shop</p>' }),
        ],
      },
    },
  ],
  inconclusive: [{ name: 'nothing was sent', given: { operation, exchanges: [] } }],
};
