import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { 'a challenge of any scheme': { status: 401, headers: { 'www-authenticate': 'ApiKey' } } },
  violates: { none: '401' },
  ignores: { 'another error': '403' },
};
