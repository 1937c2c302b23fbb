import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { '200': { status: 200 } },
  violates: {
    '201': { status: 201 },
    'a redirect': { status: 307 },
  },
  ignores: { 'an error': { status: 404 } },
};
