import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { again, create, document, sent, valid, withoutSchema } from './example-bodies-for-tests.ts';

export const examples: Examples = {
  operation: create,
  document,
  passes: {
    '200': [valid, varied(200)],
    'in conflict, or names nothing': [valid, varied(409), varied(404)],
    '400 to a body that violates the schema after all': [
      valid,
      varied(200),
      varied(400, '{"a":"2"}'),
      again('400', 200),
    ],
  },
  violates: { '400, and the valid call is still answered': [valid, varied(400), again('400', 200)] },
  inconclusive: {
    '400, as is the valid call by now': [valid, varied(400), again('400', 400)],
    'the valid call is refused': [sent('valid 400', '{"a":1}'), varied(400)],
    'the known body violates the schema': [sent('valid 200', '{}')],
    'nothing was sent': [],
  },
  notApplicable: withoutSchema,
};

function varied(status: number, text = '{"a":2}'): Exchange {
  return sent(`value ${status}`, text, '/a at its most');
}
