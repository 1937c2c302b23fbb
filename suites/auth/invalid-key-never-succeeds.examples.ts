import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    '401': { status: 401, credential: 'invalid' },
    '404': { status: 404, credential: 'invalid' },
  },
  violates: { '200': { status: 200, credential: 'invalid' } },
  ignores: {
    'a good key': { status: 200, credential: 'scoped' },
    'no answer': { credential: 'invalid' },
  },
};
