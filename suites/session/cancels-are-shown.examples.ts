import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'cancel', role: 'ends-session' });

/** A session that is read, cancelled, and read again after so many seconds, with what the last read shows. */
function session(id: string, seconds: number, shown: string): readonly Exchange[] {
  const calls = [
    ['read', 'GET', 0, 'open'],
    ['cancel', 'POST', 1, 'cancelled'],
    ['read', 'GET', 1 + seconds, shown],
  ] as const;
  return calls.map(([name, method, at, status]) =>
    exampleExchange({
      ...{ operation: name, status: 200, credential: 'scoped', body: JSON.stringify({ id, status }) },
      startedAt: `2026-08-01T10:00:0${at}.000Z`,
      durationMs: 1,
      values: { sessionId: { value: id, source: 'captured' } },
      request: { method, path: `/sessions/${id}` },
    }),
  );
}

const told = ['a', 'b', 'c'].flatMap((id) => session(id, 3, 'cancelled'));

export const examples: Examples = {
  operation,
  passes: {
    'all are shown as cancelled': told,
    'one is shown as open': [...told, ...session('d', 3, 'open')],
    'two are shown as open a second later': [...told, ...session('d', 1, 'open'), ...session('e', 1, 'open')],
    'two are in another state': [...told, ...session('d', 3, 'expired'), ...session('e', 3, 'expired')],
  },
  violates: {
    'two are shown as open': [...told, ...session('d', 3, 'open'), ...session('e', 3, 'open')],
  },
  notApplicable: { 'no session was cancelled': [] },
};
