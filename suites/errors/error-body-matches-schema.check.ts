import type { PassiveCheck } from '../../harness/checks/check.ts';
import { noErrorSeen } from '../../harness/checks/every-answer.ts';
import { mayBeRefusedInFront, refusedInFront } from '../../harness/evidence/answer.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import type { SchemaValidator } from '../../harness/openapi/compile-schema.ts';
import { evaluateBody, noDocument } from '../../harness/openapi/evaluate-body.ts';
import type { Operation } from '../../spec/operation.ts';

/** The schemas that the document gives the errors of an operation. */
function validatorsOf(operation: Operation, document: SuppliedDocument): readonly SchemaValidator[] {
  const errors = operation.statuses.filter((status) => status >= 400);
  const compiled = compileDocument(document);
  return errors.flatMap((status) => compiled.responseValidator(operation, status, undefined) ?? []);
}

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'ERROR-1',
  title: 'every error body matches its schema in the supplied document',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    return validatorsOf(operation, document).length === 0
      ? 'the supplied document shows no fields of PublicErrorResponse'
      : noErrorSeen(operation);
  },
  uncheckedParts: (operation, document?: SuppliedDocument) => {
    const validators = document === undefined ? [] : validatorsOf(operation, document);
    return [...new Set(validators.flatMap(({ unchecked = [] }) => unchecked))];
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
