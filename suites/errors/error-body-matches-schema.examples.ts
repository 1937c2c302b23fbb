import type { PassiveEvidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

const operation = exampleOperation();

const document = exampleDocument(operation, {
  error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
});

/** Examples of errors/error-body-matches-schema. */
export const examples: PassiveExamples = {
  passes: {
    'a body that matches': given({ status: 404, body: '{"code":"x"}' }),
    'problem details, declared as plain JSON': given({
      status: 404,
      body: '{"code":"x"}',
      contentType: 'application/problem+json',
    }),
  },
  violates: {
    'a required member is missing': given({ status: 401, body: '{}' }),
    'a member of another type': given({ status: 400, body: '{"code":1}' }),
  },
  ignores: {
    'no JSON': given({ status: 404, body: 'Not Found' }),
    'a success': given({ status: 200, body: '{}' }),
    'no document': { status: 404, body: '{}' },
  },
};

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
