import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  passes: {
    'an object': '200',
    'an array': { status: 200, body: '[]' },
    'a media type of its own': { status: 200, contentType: 'application/vnd.shop+json; v=1' },
  },
  violates: {
    truncated: { status: 200, body: '{"a":' },
    empty: { status: 200, body: '' },
    HTML: { status: 200, body: '<p>', contentType: 'text/html' },
    'JSON under no media type': { status: 200, contentType: null },
  },
  ignores: { 'an error': { status: 404, body: '' } },
};
