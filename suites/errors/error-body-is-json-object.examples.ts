import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: { 'an object': '404', 'problem details': { status: 400, contentType: 'application/problem+json' } },
  violates: {
    empty: { status: 401, body: '' },
    'an array': { status: 404, body: '[]' },
    'plain text': { status: 404, body: 'Not Found', contentType: 'text/plain' },
    'JSON with a mistake in it': { status: 400, body: '{"code":"x","message":"no "a""}' },
    'an object under another media type': { status: 404, contentType: 'text/html' },
  },
  ignores: { 'a success': { status: 200, body: '' } },
};
