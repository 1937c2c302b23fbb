import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { '401': '401 invalid', '404': '404 invalid' },
  violates: { '200': '200 invalid' },
  ignores: { 'a good key': '200 scoped', 'no answer': 'invalid' },
};
