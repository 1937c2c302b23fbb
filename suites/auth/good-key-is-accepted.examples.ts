import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { '200': [{ step: 'valid', status: 200 }] },
  violates: {
    '401 here, 200 elsewhere': [
      { step: 'valid', status: 401 },
      { step: 'elsewhere', status: 200 },
    ],
    '200, and 401 after a call without credentials': [
      { step: 'valid', status: 200 },
      { step: 'other', status: 401, credential: 'none' },
      { step: 'after', status: 401 },
    ],
  },
  inconclusive: {
    '401 everywhere': [
      { step: 'valid', status: 401 },
      { step: 'elsewhere', status: 401 },
    ],
    '404, before or after the key was looked at': [{ step: 'valid', status: 404 }],
  },
};
