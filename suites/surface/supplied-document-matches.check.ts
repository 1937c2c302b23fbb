import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { documentExchange } from '../../harness/openapi/document-exchange.ts';
import { pointerOf } from '../../harness/openapi/json-pointers.ts';
import { noDocument } from '../../harness/openapi/no-document.ts';

const check: ActiveCheck = activeCheck({
  requirement: 'SURFACE-2',
  title: 'the supplied OpenAPI document describes the operation as the contract does',
  applies: () => true,
  needs: () => [],
  steps: {},
  probe: async () => undefined,
  evaluate: ({ operation, document }) => {
    if (document === undefined) return notApplicable(noDocument);
    // A deviation of the whole document misleads the clients of every operation.
    const deviations = document.deviations.filter(
      (deviation) => deviation.operation === undefined || deviation.operation === operation.id,
    );
    const violations = deviations.map((deviation) => ({
      statement: deviation.statement,
      expected: deviation.expected,
      actual: deviation.actual,
      ...(deviation.clause === undefined ? {} : { clause: deviation.clause }),
      ...(deviation.fix === undefined ? {} : { fix: deviation.fix }),
      ...(deviation.kind === undefined ? {} : { deviation: deviation.kind }),
      kind: pointerOf(deviation.at),
      exchange: documentExchange(deviation, operation),
      reproduction: `see ${document.source}#${pointerOf(deviation.at)}`,
    }));
    return violatedOr(violations, () => pass(`described in ${document.source} as in the contract`));
  },
});

export default check;
