import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { '200': ['valid 200'] },
  violates: {
    '401 here, 200 elsewhere': ['valid 401', 'elsewhere 200'],
    '200, and 401 after a call without credentials': ['valid 200', 'other 401 none', 'after 401'],
  },
  inconclusive: {
    '401 everywhere': ['valid 401', 'elsewhere 401'],
    '404, before or after the key was looked at': ['valid 404'],
  },
};
