import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const first = exampleExchange({ step: 'first', status: 200, body: '{"login":"L-1","at":"10:00:01"}' });

const repeated = exampleExchange({ step: 'again', status: 200, body: '{"login":"L-1","at":"10:00:01"}' });

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: {
    'refused with 409': [first, { step: 'again', status: 409 }],
    'a stranger left the login as it was': [
      first,
      { step: 'again', status: 409 },
      { step: 'stranger', status: 401 },
      { step: 'afterStranger', status: 200 },
    ],
    'no login can be consumed any more': [
      first,
      { step: 'again', status: 409 },
      { step: 'stranger', status: 401 },
      { step: 'afterStranger', status: 409 },
      { step: 'untouched', status: 409 },
    ],
    'a login was given out again that had been consumed, and the next was not': [
      first,
      { step: 'again', status: 409 },
      ...['stranger', 'stranger'].map((step) => exampleExchange({ step, status: 401 })),
      { step: 'afterStranger', status: 409 },
      { step: 'untouched', status: 200 },
      { step: 'afterStranger', status: 200 },
    ],
    'repeated unchanged for a moment, then refused': [first, repeated, { step: 'again', status: 404 }],
  },
  violates: {
    'a stranger used up the login': [
      first,
      { step: 'again', status: 409 },
      ...['stranger', 'stranger'].map((step) => exampleExchange({ step, status: 401 })),
      ...['afterStranger', 'afterStranger'].map((step) => exampleExchange({ step, status: 409 })),
      ...['untouched', 'untouched'].map((step) => exampleExchange({ step, status: 200 })),
    ],
    'a second login': [first, { step: 'again', status: 200, body: '{"login":"L-1","at":"10:00:02"}' }],
    '500': [first, { step: 'again', status: 500 }],
  },
  inconclusive: {
    'repeated unchanged for longer': [first, repeated, repeated],
    'refused the first time already': [{ step: 'first', status: 409 }],
    'a body that holds a secret': [first],
    'nothing was sent': [],
  },
};
