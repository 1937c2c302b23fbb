import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ method: 'POST', requestSchema: 'HostedLoginRequest' });

const usual = { ...called('valid', 200, 'https://shop.example/back') };

/** Examples of client/names-count-in-their-place. */
export const examples: Examples = {
  passes: [
    {
      name: 'the query is ignored',
      given: { operation, exchanges: [usual, called('misplaced', 200, 'https://shop.example/back')] },
    },
    { name: 'the query is refused', given: { operation, exchanges: [usual, called('misplaced', 400)] } },
  ],
  violates: [
    {
      name: 'the query counts before the body',
      given: {
        operation,
        exchanges: [usual, called('misplaced', 200, 'https://shop.example/back?elsewhere=1')],
      },
    },
    { name: 'it breaks the call', given: { operation, exchanges: [usual, called('misplaced', 500)] } },
  ],
  inconclusive: [
    { name: 'no valid call', given: { operation, exchanges: [called('misplaced', 200)] } },
    {
      name: 'the valid call is refused afterwards',
      given: { operation, exchanges: [usual, called('misplaced', 500), called('validAgain', 500)] },
    },
  ],
  notApplicable: [{ name: 'no body with texts', given: { operation, exchanges: [usual] } }],
};

function called(step: string, status: number, returnUrl = ''): Exchange {
  const exchange = exampleExchange({
    step,
    status,
    body: JSON.stringify({ returnUrl }),
    row: { misplaced: 'fields in the query' },
  });
  const text = JSON.stringify({ returnUrl: 'https://shop.example/back' });
  return {
    ...exchange,
    request: {
      ...exchange.request,
      path: '/login?returnUrl=https%3A%2F%2Fshop.example%2Fback%3Felsewhere%3D1',
      body: { text, encoding: 'utf-8', bytes: text.length, json: 'object', truncated: false },
    },
  };
}
