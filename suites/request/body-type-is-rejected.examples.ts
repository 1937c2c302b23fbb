import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';
import { again, create } from './example-bodies-for-tests.ts';

const control = valid('{"merchant":"atelier-nord"}');

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, sent(400)] },
  violates: {
    'let in': [control, sent(200)],
    '500, as where a member of null is read': [control, sent(500), again('500', 200)],
  },
  inconclusive: {
    'no valid body is known': [],
    '409, as is the valid call by now': [control, sent(409), again('409', 409)],
  },
  notApplicable: { 'the valid body is an array': [valid('[{"merchant":"atelier-nord"}]')] },
};

function valid(text: string): Exchange {
  return sentExample({ step: 'valid', status: 200 }, text);
}

function sent(status: number): Exchange {
  return exampleExchange({ step: 'value', row: { body: 'null' }, status });
}
