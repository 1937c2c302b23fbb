import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const control = exampleExchange({ step: 'valid', status: 200 });

/** Examples of request/absent-body-is-rejected. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused with 400',
      given: { operation: create, exchanges: [control, absent(400), absent(400)] },
    },
  ],
  violates: [
    { name: 'let in', given: { operation: create, exchanges: [control, absent(400), absent(200)] } },
    { name: 'let in though no valid call is known', given: { operation: create, exchanges: [absent(200)] } },
    {
      name: '411, and the valid call is still answered',
      given: { operation: create, exchanges: [control, absent(411), again('411', 200)] },
    },
  ],
  inconclusive: [
    {
      name: '409, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, absent(409), again('409', 409)],
      },
    },
    {
      name: 'refused, but so was the valid call',
      given: {
        operation: create,
        exchanges: [exampleExchange({ step: 'valid', status: 400 }), absent(400)],
      },
    },
    { name: 'refused, but no valid call is known', given: { operation: create, exchanges: [absent(400)] } },
    {
      name: 'a firewall refused the query, and no other call was sent',
      given: {
        operation: create,
        exchanges: [
          control,
          exampleExchange({
            ...{ step: 'value', row: { body: 'empty', query: 'merchant=a' }, status: 403 },
            ...{ contentType: 'text/html', body: '<html><body>Forbidden</body></html>' },
          }),
        ],
      },
    },
    { name: 'nothing was sent', given: { operation: create, exchanges: [] } },
  ],
};

function absent(status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ step: 'value', row: { body: 'none' }, status });
}

function again(company: string, status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ step: 'recovery', row: { company }, status });
}
