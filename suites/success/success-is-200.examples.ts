import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { '200': '200' },
  violates: { '201': '201', 'a redirect': '307' },
  ignores: { 'an error': '404' },
};
