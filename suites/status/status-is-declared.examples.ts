import type { PassiveExamples } from '../examples-for-tests.ts';

/** Examples of status/status-is-declared. */
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
