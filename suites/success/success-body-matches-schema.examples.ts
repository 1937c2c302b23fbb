import type { PassiveEvidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const document = exampleDocument(operation, {
  success: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

/** Examples of success/success-body-matches-schema. */
export const examples: PassiveExamples = {
  passes: {
    'a body that matches': given({ status: 200, body: '{"a":1}' }),
    'a member beyond the schema': given({ status: 200, body: '{"a":1,"b":null}' }),
  },
  violates: {
    'a required member is missing': given({ status: 200, body: '{}' }),
    'a member of another type': given({ status: 200, body: '{"a":"1"}' }),
  },
  ignores: {
    'an error': given({ status: 404, body: '{}' }),
    'no JSON': given({ status: 200, body: '<p>' }),
    'a path value with which another operation may have been reached': given({
      status: 200,
      body: '{}',
      values: { slug: { value: '../x', source: 'generated' } },
    }),
    'no document': { status: 200, body: '{}' },
  },
};

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
