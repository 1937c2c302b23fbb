import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const valid = exampleExchange({ step: 'valid', status: 200, body: '{"categories":[]}' });
const other = exampleExchange({ step: 'other', status: 200, body: '{"platform":"shop"}' });
const otherSwapped = exampleExchange({ step: 'other', status: 200, body: '{"categories":[]}' });
const behind = exampleExchange({ step: 'behind', status: 200, body: '{"categories":[]}' });
const swapped = exampleExchange({ step: 'behind', status: 200, body: '{"platform":"shop"}' });
const refused = exampleExchange({ step: 'behind', status: 400 });

export const examples: Examples = {
  passes: {
    'answered as usual': [valid, other, behind],
    'hints of the next response within a 200': [
      valid,
      other,
      { step: 'behind', body: 'HTTP/1.1 103 Early Hints' },
    ],
  },
  notApplicable: { 'blocked by a firewall': [valid, { step: 'behind', status: 403, body: '<html>' }] },
  violates: {
    'the answer of another call': [valid, otherSwapped, swapped],
    refused: [valid, other, refused],
  },
  inconclusive: {
    'nothing was sent': [],
    'the valid call alone': [valid],
  },
};
