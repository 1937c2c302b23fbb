import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'read', role: 'reads-session' });

/** The reads of a session, a second apart, by their statuses. */
function session(id: string, ...statuses: readonly number[]): readonly Exchange[] {
  return statuses.map((status, at) =>
    exampleExchange({
      ...{ operation: 'read', status, credential: 'scoped', startedAt: `2026-08-01T10:00:0${at}.000Z` },
      request: { path: `/sessions/${id}`, values: { sessionId: { value: id, source: 'captured' } } },
    }),
  );
}

export const examples: Examples = {
  operation,
  passes: {
    'found at once, and gone later': [...session('a', 200, 404), ...session('b', 200)],
    'unknown ones, and those that come back': [...session('a', 404), ...session('b', 200, 404, 200)],
  },
  violates: {
    'one that was not found at first': [...session('a', 404, 200), ...session('b', 200)],
    'two that were not found at first': [...session('a', 404, 200), ...session('b', 404, 404, 200)],
  },
  inconclusive: { 'nothing was read': [] },
};
