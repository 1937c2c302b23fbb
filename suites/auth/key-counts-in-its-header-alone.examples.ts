import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const elsewhere = { way: ['semicolon'], route: 'other' };
const control = exampleExchange({ step: 'valid', status: 200, credential: 'scoped' });

export const examples: Examples = {
  passes: {
    '401': [control, stranger('together', 401)],
    '400, as a key in a URL is a mistake': [control, stranger('together', 400), stranger('together', 401)],
    'the Idempotency-Key of another client is a conflict': [
      control,
      stranger('together', 401),
      stranger('replayed', 409),
    ],
  },
  violates: {
    'an answer is kept by its Idempotency-Key': [
      control,
      stranger('together', 401),
      stranger('replayed', 200),
    ],
    'a key in the query is accepted': [
      control,
      stranger('together', 200),
      stranger('bare', 401),
      stranger('single', 401),
      stranger('single', 200),
    ],
  },
  inconclusive: {
    'no key is needed at all': [control, stranger('together', 200), stranger('bare', 200)],
    'the valid call is refused too': [{ step: 'valid', status: 401 }, stranger('together', 401)],
    'each way is refused in itself': [control, stranger('together', 400), stranger('together', 431)],
    'another route answers with a page, and no valid call is known': [
      stranger('together', 401),
      { step: 'together', status: 200, body: '<p>', credential: 'none', row: elsewhere },
    ],
    'nothing was sent': [],
  },
};

function stranger(step: string, status: number): Exchange {
  return exampleExchange({ step, status, credential: 'none' });
}
