import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { '200': '200', '429': '429' },
  violates: { '500': '500', '422': '422' },
  ignores: { 'no answer': { failure: 'timeout' } },
};
