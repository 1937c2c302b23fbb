import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const hosted = exampleOperation({
  id: 'initiateHostedLogin',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

/** Examples of scope/held-scope-is-enough. */
export const examples: Examples = {
  passes: [
    {
      name: 'let in',
      given: { operation: hosted, exchanges: [exampleExchange({ step: 'valid', status: 200 })] },
    },
  ],
  violates: [
    {
      name: 'forbidden here, let in at another hosted operation',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', status: 403 }),
          exampleExchange({
            step: 'elsewhere',
            row: { shown: 'scope' },
            operation: 'createHostedCheckoutSession',
            status: 200,
          }),
        ],
      },
    },
    {
      name: 'forbidden at all hosted operations, but the identity names the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', status: 403 }),
          exampleExchange({
            step: 'elsewhere',
            row: { shown: 'identity' },
            status: 200,
            body: '{"scopes":["catalog:read"]}',
          }),
        ],
      },
    },
    {
      name: 'let in, but not after a call with the key that lacks the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', operation: hosted.id, status: 200 }),
          exampleExchange({ step: 'other', credential: 'unscoped', status: 403 }),
          exampleExchange({ step: 'after', operation: hosted.id, status: 403 }),
        ],
      },
    },
    {
      name: 'forbidden where no scope is required',
      given: { operation: exampleOperation(), exchanges: [exampleExchange({ step: 'valid', status: 403 })] },
    },
  ],
  inconclusive: [
    {
      name: 'forbidden at all hosted operations, and nothing says that it holds the scope',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', status: 403 }),
          exampleExchange({ step: 'elsewhere', row: { shown: 'identity' }, status: 200 }),
        ],
      },
    },
    {
      name: 'forbidden, whereas the key without the scope is let in',
      given: {
        operation: hosted,
        exchanges: [
          exampleExchange({ step: 'valid', status: 403 }),
          exampleExchange({ step: 'other', operation: hosted.id, credential: 'unscoped', status: 200 }),
        ],
      },
    },
  ],
};
