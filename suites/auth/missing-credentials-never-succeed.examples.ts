import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { '401': '401 none', '404': '404 none' },
  violates: { '200': '200 none' },
  ignores: { 'a good key': '200 scoped', 'no answer': 'none' },
};
