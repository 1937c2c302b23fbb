import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { again, create } from './example-bodies-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, absent(400), absent(400)] },
  violates: {
    'let in': [control, absent(400), absent(200)],
    'let in though no valid call is known': [absent(200)],
    '411, and the valid call is still answered': [control, absent(411), again('411', 200)],
  },
  inconclusive: {
    '409, as is the valid call by now': [control, absent(409), again('409', 409)],
    'refused, but so was the valid call': [{ step: 'valid', status: 400 }, absent(400)],
    'refused, but no valid call is known': [absent(400)],
    'a firewall refused the query, and no other call was sent': [
      control,
      {
        ...{ step: 'value', row: { body: 'empty', query: 'merchant=a' }, status: 403 },
        ...{ contentType: 'text/html', body: '<html><body>Forbidden</body></html>' },
      },
    ],
    'nothing was sent': [],
  },
};

function absent(status: number): Exchange {
  return exampleExchange({ step: 'value', row: { body: 'none' }, status });
}
