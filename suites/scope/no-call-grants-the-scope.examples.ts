import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ id: 'create', scope: 'catalog:read' }),
  passes: {
    'refused before and after other calls': [
      at(1, 'create', 403),
      at(2, 'identity', 200),
      at(3, 'create', 403),
    ],
  },
  violates: {
    'accepted at once after another call': [
      at(1, 'login', 403),
      at(2, 'identity', 200),
      at(3, 'create', 200),
      at(4, 'login', 200),
    ],
    'accepted by an operation that was never called before, and then by this one': {
      applicable: new Set(['create', 'login']),
      exchanges: [at(1, 'create', 403), at(2, 'identity', 200), at(3, 'login', 200), at(4, 'create', 200)],
    },
    'accepted by another operation first': [
      ...[at(1, 'login', 403), at(2, 'create', 403), at(3, 'identity', 200), at(4, 'login', 200)],
      ...[at(5, 'products', 200), at(6, 'create', 200)],
    ],
  },
  notApplicable: {
    'no call of this operation with such a key': [at(1, 'login', 403), at(2, 'identity', 200)],
    'never refused': [at(1, 'identity', 200), at(2, 'create', 200)],
    'accepted where nothing was refused before': [
      at(1, 'login', 403),
      at(2, 'identity', 200),
      at(3, 'create', 200),
    ],
    'refused again later': [
      at(1, 'login', 403),
      at(2, 'identity', 200),
      at(3, 'create', 200),
      at(4, 'login', 403),
    ],
    'many other calls in between': [
      at(1, 'login', 403),
      ...['identity', 'readiness', 'products'].map((id, nth) => at(2 + nth, id, 200)),
      at(6, 'create', 200),
    ],
  },
};

function at(second: number, id: string, status: number): Exchange {
  const startedAt = `2026-01-01T00:00:0${second}.000Z`;
  return exampleExchange({ operation: id, status, credential: 'unscoped', body: '{}', startedAt });
}
