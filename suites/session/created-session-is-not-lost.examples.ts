import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({
  ...{ id: 'read', role: 'reads-session' },
  peers: { 'creates-session': 'create', 'reads-session': 'read' },
});

/** Seconds after the beginning. */
const at = (seconds: number): string =>
  new Date(Date.parse('2026-08-01T10:00:00Z') + seconds * 1_000).toISOString();

function created(id: string, seconds: number): Exchange {
  return exampleExchange({
    ...{ operation: 'create', status: 200, body: `{"id":"${id}"}` },
    ...{ startedAt: at(seconds), durationMs: 10, request: { method: 'POST' } },
  });
}

function read(id: string, seconds: number, status: number): Exchange {
  return exampleExchange({
    ...{ operation: 'read', status, credential: 'scoped', startedAt: at(seconds), durationMs: 10 },
    ...{ values: { sessionId: { value: id, source: 'captured' } }, request: { path: `/sessions/${id}` } },
  });
}

/** A session that is first read late, and others that are created meanwhile. */
const late = [
  ...[created('session-late', 0), created('session-a', 1), created('session-b', 1)],
  read('session-late', 4, 200),
];

/** A session that is unknown at its first read, and so many seconds later. */
const lost = (id: string, seconds: number, after = 2): readonly Exchange[] => [
  created(id, seconds),
  read(id, seconds + 1, 404),
  read(id, seconds + 1.1 + after, 404),
];

export const examples: Examples = {
  operation,
  passes: {
    'every session is found': late,
    'two that are lost': [...late, ...lost('session-1', 10), ...lost('session-2', 20)],
    'all are lost at one moment': [
      ...[...late, ...lost('session-1', 10)],
      ...[...lost('session-2', 10.2), ...lost('session-3', 10.4)],
    ],
    'some that may not have arrived everywhere': [
      ...[...late, ...lost('session-1', 10, 1)],
      ...[...lost('session-2', 20, 1), ...lost('session-3', 30, 1)],
    ],
    'sessions that end soon': [
      ...[created('session-late', 0), read('session-late', 0.2, 200), ...lost('session-1', 10)],
      ...[...lost('session-2', 20), ...lost('session-3', 30)],
    ],
  },
  violates: {
    'three, one after the other': [
      ...[...late, ...lost('session-1', 10)],
      ...[...lost('session-2', 20), ...lost('session-3', 30)],
    ],
  },
  notApplicable: { 'no session was created': [read('session-1', 0, 404)] },
};
