import type { Evidence } from '../../harness/checks/check.ts';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { DocumentDeviation } from '../../harness/model/supplied-document.ts';
import { exampleDocument } from '../../harness/openapi/example-document-for-tests.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();

export const examples: Examples = {
  passes: {
    'no difference': given([]),
    'a difference at another operation': given([
      { operation: 'getPublicBootstrap', statement: 's', expected: 'e', actual: 'a', at: ['paths'] },
    ]),
  },
  violates: {
    'another operationId': given([
      {
        operation: operation.id,
        statement: 'the operation has the operationId of the contract',
        expected: operation.id,
        actual: 'whoAmI',
        at: ['paths', operation.path, 'get'],
      },
    ]),
    'another version of OpenAPI, which concerns every operation': given([
      {
        operation: undefined,
        statement: 'the document is written in OpenAPI 3.1',
        expected: 'openapi: 3.1.x',
        actual: 'openapi: 3.0.3',
        at: ['openapi'],
      },
    ]),
  },
  notApplicable: { 'no document': [] },
};

function given(deviations: readonly DocumentDeviation[]): Evidence {
  return { operation, exchanges: [], document: exampleDocument(operation, {}, deviations) };
}
