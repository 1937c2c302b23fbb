import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';
import { create, document, valid, withoutSchema } from './example-bodies-for-tests.ts';

const witness = recovered(200);

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
      witness,
    ],
  },
  violates: { '400, and the valid call is still answered': [valid, varied(400), witness] },
  inconclusive: {
    '400, as is the valid call by now': [valid, varied(400), recovered(400)],
    'the valid call is refused': [sentExample({ step: 'valid', status: 400 }, '{"a":1}'), varied(400)],
    'the known body violates the schema': [sentExample({ step: 'valid', status: 200 }, '{}')],
    'nothing was sent': [],
  },
  notApplicable: withoutSchema,
};

function varied(status: number, text = '{"a":2}'): Exchange {
  return sentExample({ step: 'value', row: { body: '/a at its most' }, status }, text);
}

function recovered(status: number): Exchange {
  return exampleExchange({ step: 'recovery', row: { company: '400' }, status });
}
