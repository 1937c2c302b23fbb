import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const control = exampleExchange({ step: 'valid', status: 200 });

/** Examples of request/non-json-body-is-rejected. */
export const examples: Examples = {
  passes: [{ name: 'refused with 400', given: { operation: create, exchanges: [control, truncated(400)] } }],
  violates: [
    { name: 'let in', given: { operation: create, exchanges: [control, truncated(200)] } },
    { name: '422', given: { operation: create, exchanges: [control, truncated(422), again('422', 200)] } },
    { name: '500', given: { operation: create, exchanges: [control, truncated(500), again('500', 200)] } },
    {
      name: '404, as if the body had named something',
      given: { operation: create, exchanges: [control, truncated(404), again('404', 200)] },
    },
    {
      name: 'no answer, and the valid call is answered again',
      given: {
        operation: create,
        exchanges: [
          control,
          exampleExchange({ step: 'value', row: { body: 'truncated' }, failure: 'reset' }),
          again('no answer (reset)', 200),
        ],
      },
    },
  ],
  inconclusive: [
    {
      name: '503, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, truncated(503), again('503', 503)],
      },
    },
    {
      name: 'refused, but so was the valid call',
      given: {
        operation: create,
        exchanges: [exampleExchange({ step: 'valid', status: 404 }), truncated(400)],
      },
    },
  ],
};

function truncated(status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ step: 'value', row: { body: 'truncated' }, status });
}

function again(company: string, status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ step: 'recovery', row: { company }, status });
}
