import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    '200': { status: 200 },
    '429': { status: 429 },
  },
  violates: {
    '500': { status: 500 },
    '422': { status: 422 },
  },
  ignores: { 'no answer': { failure: 'timeout' } },
};
