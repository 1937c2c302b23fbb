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
  passes: [
    { name: 'a body that matches', given: given({ status: 200, body: '{"a":1}' }) },
    { name: 'a member beyond the schema', given: given({ status: 200, body: '{"a":1,"b":null}' }) },
  ],
  violates: [
    { name: 'a required member is missing', given: given({ status: 200, body: '{}' }) },
    { name: 'a member of another type', given: given({ status: 200, body: '{"a":"1"}' }) },
  ],
  ignores: [
    { name: 'an error', given: given({ status: 404, body: '{}' }) },
    { name: 'no JSON', given: given({ status: 200, body: '<p>' }) },
    {
      name: 'a path value with which another operation may have been reached',
      given: given({ status: 200, body: '{}', values: { slug: { value: '../x', source: 'generated' } } }),
    },
    { name: 'no document', given: { operation, exchange: exampleExchange({ status: 200, body: '{}' }) } },
  ],
};

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
