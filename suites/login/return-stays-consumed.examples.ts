import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const first = exampleExchange({ step: 'first', status: 200 });
const again = exampleExchange({ step: 'again', status: 409 });

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: { 'gone by then': [first, again, { step: 'late', status: 404 }] },
  violates: {
    'accepted once more': [first, again, { step: 'late', status: 200 }],
    'accepted twice at first': [
      first,
      exampleExchange({ step: 'again', status: 200, body: '{"authenticatedAt":"2026-01-01T00:00:01Z"}' }),
      { step: 'late', status: 409 },
    ],
  },
  inconclusive: {
    'repeated from the beginning': [
      first,
      ...['again', 'late'].map((step) => exampleExchange({ step, status: 200 })),
    ],
    'nothing was sent late': [first, again],
  },
};
