import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const rested = exampleExchange({ step: 'rested', status: 500 });
const again = exampleExchange({ step: 'again', status: 200 });

export const examples: Examples = {
  passes: { 'answered as usual': [{ step: 'rested', status: 200 }] },
  violates: {
    'the next call only': [rested, again],
    'one of several at once': [{ step: 'rested', status: 200 }, { step: 'beside', status: 409 }, again],
  },
  inconclusive: {
    'nothing was sent': [],
    'blocked by a firewall': [{ step: 'rested', status: 403, body: '<html>' }],
    'no call is answered any more': [rested, { step: 'again', status: 500 }],
  },
};
