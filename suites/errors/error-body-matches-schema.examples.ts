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
  passes: [
    { name: 'a body that matches', given: given({ status: 404, body: '{"code":"x"}' }) },
    {
      name: 'problem details, declared as plain JSON',
      given: given({ status: 404, body: '{"code":"x"}', contentType: 'application/problem+json' }),
    },
  ],
  violates: [
    { name: 'a required member is missing', given: given({ status: 401, body: '{}' }) },
    { name: 'a member of another type', given: given({ status: 400, body: '{"code":1}' }) },
  ],
  ignores: [
    { name: 'no JSON', given: given({ status: 404, body: 'Not Found' }) },
    { name: 'a success', given: given({ status: 200, body: '{}' }) },
    { name: 'no document', given: { operation, exchange: exampleExchange({ status: 404, body: '{}' }) } },
  ],
};

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
