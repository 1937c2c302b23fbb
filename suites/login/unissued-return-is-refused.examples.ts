import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'issued', status: 200 });

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: {
    'refused with 404': [control, { step: 'lookAlike', status: 404 }],
    'refused with 401, as it is the login that fails': [control, { step: 'lookAlike', status: 401 }],
  },
  violates: {
    accepted: [control, { step: 'lookAlike', status: 200 }],
    'a near miss is accepted': [
      control,
      { step: 'lookAlike', status: 404 },
      { step: 'lookAlike', status: 200 },
    ],
    'accepted, while one that was issued is not': [
      { step: 'issued', status: 409 },
      { step: 'lookAlike', status: 200 },
    ],
    '500': [control, { step: 'lookAlike', status: 500 }],
    'no answer': [control, { step: 'lookAlike', failure: 'reset' }],
  },
  inconclusive: {
    'refused like the one that was issued': [
      { step: 'issued', status: 400 },
      { step: 'lookAlike', status: 400 },
    ],
    'no captured value in the body': [control],
  },
};
