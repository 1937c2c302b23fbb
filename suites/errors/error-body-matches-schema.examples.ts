import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const document = exampleDocument(exampleOperation(), {
  error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
});

export const examples: PassiveExamples = {
  document,
  passes: {
    'a body that matches': { status: 404, body: '{"code":"x"}' },
    'problem details, declared as plain JSON': {
      status: 404,
      body: '{"code":"x"}',
      contentType: 'application/problem+json',
    },
  },
  violates: {
    'a required member is missing': { status: 401, body: '{}' },
    'a member of another type': { status: 400, body: '{"code":1}' },
  },
  ignores: {
    'no JSON': { status: 404, body: 'Not Found' },
    'a success': { status: 200, body: '{}' },
    'no document': { exchange: exampleExchange({ status: 404, body: '{}' }), document: undefined },
  },
};
