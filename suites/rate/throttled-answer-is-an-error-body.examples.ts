import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    'an error body': '429',
    'an error body and Retry-After': { status: 429, headers: { 'retry-after': '3600' } },
  },
  violates: {
    'plain text': { status: 429, body: 'slow down', contentType: 'text/plain' },
    empty: { status: 429, body: '' },
  },
  ignores: { 'another status': '503' },
};
