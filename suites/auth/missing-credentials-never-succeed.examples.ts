import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    '401': { status: 401, credential: 'none' },
    '404': { status: 404, credential: 'none' },
  },
  violates: { '200': { status: 200, credential: 'none' } },
  ignores: {
    'a good key': { status: 200, credential: 'scoped' },
    'no answer': { credential: 'none' },
  },
};
