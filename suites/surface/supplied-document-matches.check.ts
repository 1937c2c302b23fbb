import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { pass, violatedOr } from '../../harness/checks/outcomes.ts';
import type { DocumentDeviation } from '../../harness/model/supplied-document.ts';
import { documentExchange } from '../../harness/openapi/document-exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

const operation = exampleOperation();

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'SURFACE-2',
  title: 'the supplied OpenAPI document describes the operation as the contract does',
  applies: () => true,
  needs: () => [],
  requests: () => 0,
  probe: async () => undefined,
  evaluate: ({ operation, document }: Evidence) => {
    if (document === undefined) return { outcome: 'not-applicable', reason: noDocument };
    // What is wrong with the document as a whole is so for every operation: a client of any of them is misled.
    const deviations = document.deviations.filter(
      (deviation) => deviation.operation === undefined || deviation.operation === operation.id,
    );
    const violations = deviations.map((deviation) => ({
      statement: deviation.statement,
      expected: deviation.expected,
      actual: deviation.actual,
      exchange: documentExchange(deviation, operation),
      reproduction: `see ${document.source}#/${deviation.at.map(pointerStep).join('/')}`,
    }));
    return violatedOr(violations, () => pass(`described in ${document.source} as in the contract`));
  },
  examples: [
    { name: 'no difference', given: given([]), says: 'pass' },
    {
      name: 'another operationId',
      given: given([
        {
          operation: operation.id,
          statement: 'the operation has the operationId of the contract',
          expected: operation.id,
          actual: 'whoAmI',
          at: ['paths', operation.path, 'get'],
        },
      ]),
      says: 'violated',
    },
    {
      name: 'another version of OpenAPI, which concerns every operation',
      given: given([
        {
          operation: undefined,
          statement: 'the document is written in OpenAPI 3.1',
          expected: 'openapi: 3.1.x',
          actual: 'openapi: 3.0.3',
          at: ['openapi'],
        },
      ]),
      says: 'violated',
    },
    {
      name: 'a difference at another operation',
      given: given([
        { operation: 'getPublicBootstrap', statement: 's', expected: 'e', actual: 'a', at: ['paths'] },
      ]),
      says: 'pass',
    },
    { name: 'no document', given: { operation, exchanges: [] }, says: 'not-applicable' },
  ],
};

export default check;

function given(deviations: readonly DocumentDeviation[]): Evidence {
  return { operation, exchanges: [], document: exampleDocument(operation, {}, deviations) };
}

function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
