import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { documentExchange } from '../../harness/openapi/document-exchange.ts';
import { pointerOf } from '../../harness/openapi/json-pointers.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

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
      kind: pointerOf(deviation.at),
      exchange: documentExchange(deviation, operation),
      reproduction: `see ${document.source}#${pointerOf(deviation.at)}`,
    }));
    return violatedOr(violations, () => pass(`described in ${document.source} as in the contract`));
  },
};

export default check;
