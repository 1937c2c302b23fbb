import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'create', scope: 'catalog:read' });

/** Examples of scope/no-call-grants-the-scope. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused before and after other calls',
      given: { operation, exchanges: [at(1, 'create', 403), at(2, 'identity', 200), at(3, 'create', 403)] },
    },
  ],
  violates: [
    {
      name: 'accepted at once after another call',
      given: {
        operation,
        exchanges: [at(1, 'login', 403), at(2, 'identity', 200), at(3, 'create', 200), at(4, 'login', 200)],
      },
    },
    {
      name: 'accepted by an operation that was never called before, and then by this one',
      given: {
        operation,
        applicable: new Set(['create', 'login']),
        exchanges: [at(1, 'create', 403), at(2, 'identity', 200), at(3, 'login', 200), at(4, 'create', 200)],
      },
    },
    {
      name: 'accepted by another operation first',
      given: {
        operation,
        exchanges: [
          ...[at(1, 'login', 403), at(2, 'create', 403), at(3, 'identity', 200), at(4, 'login', 200)],
          ...[at(5, 'products', 200), at(6, 'create', 200)],
        ],
      },
    },
  ],
  notApplicable: [
    {
      name: 'no call of this operation with such a key',
      given: { operation, exchanges: [at(1, 'login', 403), at(2, 'identity', 200)] },
    },
    {
      name: 'never refused',
      given: { operation, exchanges: [at(1, 'identity', 200), at(2, 'create', 200)] },
    },
    {
      name: 'accepted where nothing was refused before',
      given: { operation, exchanges: [at(1, 'login', 403), at(2, 'identity', 200), at(3, 'create', 200)] },
    },
    {
      name: 'refused again later',
      given: {
        operation,
        exchanges: [at(1, 'login', 403), at(2, 'identity', 200), at(3, 'create', 200), at(4, 'login', 403)],
      },
    },
    {
      name: 'many other calls in between',
      given: {
        operation,
        exchanges: [
          at(1, 'login', 403),
          ...['identity', 'readiness', 'products'].map((id, nth) => at(2 + nth, id, 200)),
          at(6, 'create', 200),
        ],
      },
    },
  ],
};

function at(second: number, id: string, status: number): Exchange {
  return {
    ...exampleExchange({ operation: id, status, credential: 'unscoped', body: '{}' }),
    startedAt: `2026-01-01T00:00:0${second}.000Z`,
  };
}
