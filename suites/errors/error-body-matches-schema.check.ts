import type { PassiveCheck } from '../../harness/checks/check.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { evaluateBody } from '../../harness/openapi/evaluate-body.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error body matches the schema that the supplied document gives it',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    const compiled = compileDocument(document);
    if (
      operation.statuses
        .filter((status) => status >= 400)
        .every((status) => compiled.errorValidator(operation, status, undefined) === undefined)
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
};

export default check;
