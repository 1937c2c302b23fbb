import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { without: '429' },
  violates: { with: { status: 429, headers: { 'retry-after': '1' } } },
  ignores: { 'on another status': { status: 404, headers: { 'retry-after': '1' } } },
};
