import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const valid = exampleExchange({ step: 'valid', status: 200, body: '{"categories":[]}' });
const other = exampleExchange({ step: 'other', status: 200, body: '{"platform":"shop"}' });
const otherSwapped = exampleExchange({ step: 'other', status: 200, body: '{"categories":[]}' });
const behind = exampleExchange({ step: 'behind', status: 200, body: '{"categories":[]}' });
const swapped = exampleExchange({ step: 'behind', status: 200, body: '{"platform":"shop"}' });
const refused = exampleExchange({ step: 'behind', status: 400 });

/** Examples of surface/calls-in-one-packet-are-answered-in-turn. */
export const examples: Examples = {
  passes: [
    { name: 'answered as usual', given: { operation, exchanges: [valid, other, behind] } },
    {
      name: 'hints of the next response within a 200',
      given: {
        operation,
        exchanges: [valid, other, exampleExchange({ step: 'behind', body: 'HTTP/1.1 103 Early Hints' })],
      },
    },
  ],
  notApplicable: [
    {
      name: 'blocked by a firewall',
      given: {
        operation,
        exchanges: [valid, exampleExchange({ step: 'behind', status: 403, body: '<html>' })],
      },
    },
  ],
  violates: [
    { name: 'the answer of another call', given: { operation, exchanges: [valid, otherSwapped, swapped] } },
    { name: 'refused', given: { operation, exchanges: [valid, other, refused] } },
  ],
  inconclusive: [
    { name: 'nothing was sent', given: { operation, exchanges: [] } },
    { name: 'the valid call alone', given: { operation, exchanges: [valid] } },
  ],
};
