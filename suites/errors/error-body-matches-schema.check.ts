import type { PassiveCheck } from '../../harness/checks/check.ts';
import { noErrorSeen } from '../../harness/checks/no-error-seen.ts';
import { mayBeRefusedInFront, refusedInFront } from '../../harness/evidence/answer.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { evaluateBody, noDocument } from '../../harness/openapi/evaluate-body.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error body matches its schema in the supplied document',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    const compiled = compileDocument(document);
    if (
      operation.statuses
        .filter((status) => status >= 400)
        .every((status) => compiled.responseValidator(operation, status, undefined) === undefined)
    ) {
      return 'the supplied document shows no fields of PublicErrorResponse';
    }
    return noErrorSeen(operation);
  },
  uncheckedParts: (operation, document?: SuppliedDocument) => {
    const compiled = document && compileDocument(document);
    const parts = operation.statuses
      .filter((status) => status >= 400)
      .flatMap((status) => compiled?.responseValidator(operation, status, undefined)?.unchecked ?? []);
    return [...new Set(parts)];
  },
  evaluate: (exchange, operation, document?: SuppliedDocument) => {
    const status = exchange.response?.status;
    if (status === undefined || status < 400) return undefined;
    const evaluation = evaluateBody(exchange, operation, document, {
      statement: `The body of a ${status} response does not match the schema of PublicErrorResponse`,
      expected: 'a body that matches PublicErrorResponse',
    });
    if (typeof evaluation !== 'object' || !mayBeRefusedInFront(exchange)) return evaluation;
    return { ...evaluation, clause: refusedInFront };
  },
};
