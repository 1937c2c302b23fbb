import type { PassiveCheck, PassiveEvidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { evaluateBody } from '../../harness/openapi/evaluate-body.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

/** Statuses of errors that every operation declares. */
const errorStatuses = [400, 401, 403, 404, 409, 429];

const operation = exampleOperation();
const document = exampleDocument(operation, {
  error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
});

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error body matches the schema that the supplied document gives it',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    const compiled = compileDocument(document);
    if (
      errorStatuses.every((status) => compiled.errorValidator(operation, status, undefined) === undefined)
    ) {
      return 'the supplied document shows no fields of PublicErrorResponse';
    }
    const { auth, pathParameters, requestSchema } = operation;
    return auth === 'none' && pathParameters.length === 0 && requestSchema === undefined
      ? 'a public read without parameters need never answer an error, and none was seen'
      : undefined;
  },
  evaluate: (exchange, operation, document?: SuppliedDocument) => {
    const status = exchange.response?.status;
    if (status === undefined || status < 400) return undefined;
    return evaluateBody(exchange, operation, document, {
      statement: `the body of a ${status} matches the schema of PublicErrorResponse`,
      expected: 'a body that matches PublicErrorResponse',
    });
  },
  examples: [
    { name: 'a body that matches', given: given({ status: 404, body: '{"code":"x"}' }), says: 'pass' },
    {
      name: 'problem details, declared as plain JSON',
      given: given({ status: 404, body: '{"code":"x"}', contentType: 'application/problem+json' }),
      says: 'pass',
    },
    { name: 'a required member is missing', given: given({ status: 401, body: '{}' }), says: 'violated' },
    {
      name: 'a member of another type',
      given: given({ status: 400, body: '{"code":1}' }),
      says: 'violated',
    },
    { name: 'no JSON', given: given({ status: 404, body: 'Not Found' }), says: 'nothing' },
    { name: 'a success', given: given({ status: 200, body: '{}' }), says: 'nothing' },
    {
      name: 'no document',
      given: { operation, exchange: exampleExchange({ status: 404, body: '{}' }) },
      says: 'nothing',
    },
  ],
};

export default check;

function given(parts: Parameters<typeof exampleExchange>[0]): PassiveEvidence {
  return { operation, document, exchange: exampleExchange(parts) };
}
