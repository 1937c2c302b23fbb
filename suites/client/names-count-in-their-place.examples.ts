import { exampleBody, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const usual = called('valid 200', 'https://shop.example/back');

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', requestSchema: 'HostedLoginRequest' }),
  passes: {
    'the query is ignored': [usual, called('misplaced 200', 'https://shop.example/back')],
    'the query is refused': [usual, called('misplaced 400')],
  },
  violates: {
    'the query counts before the body': [
      usual,
      called('misplaced 200', 'https://shop.example/back?elsewhere=1'),
    ],
    'it breaks the call': [usual, called('misplaced 500')],
  },
  inconclusive: {
    'no valid call': [called('misplaced 200')],
    'the valid call is refused afterwards': [usual, called('misplaced 500'), called('validAgain 500')],
  },
  notApplicable: { 'no body with texts': [usual] },
};

function called(words: string, returnUrl = ''): Exchange {
  return example(words, {
    json: { returnUrl },
    row: { misplaced: 'fields in the query' },
    request: {
      path: '/login?returnUrl=https%3A%2F%2Fshop.example%2Fback%3Felsewhere%3D1',
      body: exampleBody(JSON.stringify({ returnUrl: 'https://shop.example/back' })),
    },
  });
}
