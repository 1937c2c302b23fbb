import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { defined } from '../../harness/defined.ts';
import { pointerOf } from '../../harness/json-pointers.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { DocumentDeviation } from '../../harness/model/supplied-document.ts';
import { noDocument } from '../../harness/openapi/evaluate-body.ts';
import type { Operation } from '../../spec/operation.ts';

export const check: ActiveCheck = activeCheck({
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
      ...defined({ clause: deviation.clause, fix: deviation.fix, deviation: deviation.kind }),
      kind: pointerOf(deviation.at),
      exchange: documentExchange(deviation, operation),
      reproduction: `see ${document.source}#${pointerOf(deviation.at)}`,
    }));
    return violatedOr(violations, () => pass(`described in ${document.source} as in the contract`));
  },
});

/**
 * The place of a deviation in the form of an exchange, for findings show exchanges as their evidence. Nothing was sent: it
 * has no response, and its time is fixed, so that reports of the same document are alike.
 */
function documentExchange(deviation: DocumentDeviation, operation: Operation): Exchange {
  const check = 'surface/supplied-document-matches';
  const pointer = pointerOf(deviation.at);
  return {
    id: `${operation.id}/${check}/document#${pointer} ${deviation.statement}`,
    operation: operation.id,
    case: { check, operation: operation.id },
    role: 'witness',
    label: `the supplied document at ${pointer === '' ? 'its root' : pointer}`,
    attempt: 1,
    request: {
      method: operation.method,
      path: operation.path,
      headers: [],
      credential: { kind: 'none', description: 'nothing was sent' },
      values: {},
      connection: 'shared',
    },
    startedAt: '1970-01-01T00:00:00.000Z',
    durationMs: 0,
  };
}
