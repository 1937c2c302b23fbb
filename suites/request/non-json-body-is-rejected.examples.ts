import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { again, create } from './example-bodies-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, truncated(400)] },
  violates: {
    'let in': [control, truncated(200)],
    '422': [control, truncated(422), again('422', 200)],
    '500': [control, truncated(500), again('500', 200)],
    '404, as if the body had named something': [control, truncated(404), again('404', 200)],
    'no answer, and the valid call is answered again': [
      control,
      { step: 'value', row: { body: 'truncated' }, failure: 'reset' },
      again('no answer (reset)', 200),
    ],
  },
  inconclusive: {
    '503, as is the valid call by now': [control, truncated(503), again('503', 503)],
    'refused, but so was the valid call': [{ step: 'valid', status: 404 }, truncated(400)],
  },
};

function truncated(status: number): Exchange {
  return exampleExchange({ step: 'value', row: { body: 'truncated' }, status });
}
