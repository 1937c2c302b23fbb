import {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/contract.ts';
import { cancelSession, createSession, readSession } from './session-evidence.ts';

const base = { group: 'hosted', scope: 'catalog:read', auth: 'api-key' } as const;

/** The operation that creates sessions, for examples. */
export const createOperation: Operation = exampleOperation({ ...base, id: createSession, method: 'POST' });
/** The operation that reads a session, for examples. */
export const readOperation: Operation = exampleOperation({
  ...base,
  id: readSession,
  pathParameters: ['sessionId'],
});
/** The operation that cancels a session, for examples. */
export const cancelOperation: Operation = exampleOperation({
  ...base,
  id: cancelSession,
  method: 'POST',
  pathParameters: ['sessionId'],
});

/** What a session shows in examples. */
export function session(id: string, state = 'open', more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ sessionId: id, state, ...more });
}

/** A create with 200, or with what is given. */
export function created(id: string, parts: ExampleParts = {}, requestBody = '{"basket":1}'): Exchange {
  const exchange = exampleExchange({
    operation: createSession,
    role: 'setup',
    label: 'takes sessionId',
    status: 200,
    body: session(id),
    ...parts,
  });
  const body = {
    text: requestBody,
    encoding: 'utf-8' as const,
    bytes: requestBody.length,
    truncated: false,
    json: 'object' as const,
  };
  return { ...exchange, request: { ...exchange.request, body } };
}

/** A read of a session with 200 and what an open session shows, or with what is given. */
export function read(id: string, label: string, parts: ExampleParts = {}): Exchange {
  return exampleExchange({
    operation: readSession,
    role: 'witness',
    label,
    status: 200,
    body: session(id),
    values: { sessionId: { value: id, source: 'captured' } },
    ...parts,
  });
}

/** A cancel with 200 and what a cancelled session shows, or with what is given. */
export function cancelled(id: string, label: string, parts: ExampleParts = {}): Exchange {
  return exampleExchange({
    operation: cancelSession,
    role: 'control',
    label,
    status: 200,
    body: session(id, 'cancelled'),
    values: { sessionId: { value: id, source: 'captured' } },
    ...parts,
  });
}
