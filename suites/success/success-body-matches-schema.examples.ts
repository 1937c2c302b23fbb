import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const document = exampleDocument(exampleOperation(), {
  success: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

export const examples: PassiveExamples = {
  document,
  passes: {
    'a body that matches': { status: 200, body: '{"a":1}' },
    'a member beyond the schema': { status: 200, body: '{"a":1,"b":null}' },
  },
  violates: {
    'a required member is missing': { status: 200, body: '{}' },
    'a member of another type': { status: 200, body: '{"a":"1"}' },
  },
  ignores: {
    'an error': { status: 404, body: '{}' },
    'no JSON': { status: 200, body: '<p>' },
    'a path value with which another operation may have been reached': {
      status: 200,
      body: '{}',
      values: { slug: { value: '../x', source: 'generated' } },
    },
    'no document': { exchange: exampleExchange({ status: 200, body: '{}' }), document: undefined },
  },
};
