import type { PassiveCheck } from '../../harness/checks/check.ts';
import type { SuppliedDocument } from '../../harness/model/supplied-document.ts';
import { compileDocument } from '../../harness/openapi/compile-document.ts';
import { evaluateBody, noDocument } from '../../harness/openapi/evaluate-body.ts';

export const check: PassiveCheck = {
  kind: 'passive',
  requirement: 'SUCCESS-3',
  title: 'the body of a 200 response matches its schema in the supplied document',
  applies: () => true,
  notApplicableReason: (operation, document?: SuppliedDocument) => {
    if (document === undefined) return noDocument;
    const known = compileDocument(document).responseValidator(operation, 200, undefined);
    return known === undefined ? 'the supplied document shows no fields of the 200 body' : undefined;
  },
  uncheckedParts: (operation, document?: SuppliedDocument) =>
    (document && compileDocument(document).responseValidator(operation, 200, undefined)?.unchecked) ?? [],
  evaluate: (exchange, operation, document?: SuppliedDocument) => {
    // The server may have routed such a value to another operation.
    const isElsewhere = Object.values(exchange.request.values).some(
      ({ source, value }) => source === 'generated' && !/^[\p{L}\p{M}\p{N}_~-]+$/u.test(value),
    );
    if (exchange.response?.status !== 200 || isElsewhere) return undefined;
    return evaluateBody(exchange, operation, document, {
      statement: 'The body of a 200 response does not match its schema',
      expected: `a body that matches ${operation.responseSchema ?? 'the schema in the document'}`,
    });
  },
};
