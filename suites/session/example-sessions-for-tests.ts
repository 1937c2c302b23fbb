import {
  type ExampleParts,
  exampleExchange,
  exampleOperation,
} from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import { example } from '../examples-for-tests.ts';

const peers = {
  'creates-session': 'createSession',
  'reads-session': 'readSession',
  'ends-session': 'cancelSession',
} as const;

/** The operation that creates sessions, for examples. */
export const createOperation: Operation = sessionOperation('creates-session');
/** The operation that reads a session, for examples. */
export const readOperation: Operation = sessionOperation('reads-session');
/** The operation that cancels a session, for examples. */
export const cancelOperation: Operation = sessionOperation('ends-session');

/** The body of a session. */
export function session(id: string, state = 'open', more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ sessionId: id, state, ...more });
}

/** A create as set-up, answered 200 unless the parts say otherwise. */
export function created(id: string, parts: ExampleParts = {}, requestBody = '{"basket":1}'): Exchange {
  return example('200', {
    operation: createOperation.id,
    role: 'setup',
    label: 'takes sessionId',
    body: session(id),
    ...parts,
    sent: requestBody,
  });
}

/** A read in a step, answered 200 with an open session unless the parts say otherwise. */
export function read(id: string, step: string, parts: ExampleParts = {}): Exchange {
  return exampleExchange({
    ...usePartsOf(id, step),
    operation: readOperation.id,
    body: session(id),
    ...parts,
  });
}

/** A cancel in a step, answered 200 with a cancelled session unless the parts say otherwise. */
export function cancelled(id: string, step: string, parts: ExampleParts = {}): Exchange {
  return exampleExchange({
    ...usePartsOf(id, step),
    operation: cancelOperation.id,
    body: session(id, 'cancelled'),
    ...parts,
  });
}

/** The reads of a session that nobody cancels; the last one shows the given body. */
export function untouchedSession(last: string = session('cs_8')): readonly Exchange[] {
  return [
    created('cs_8'),
    read('cs_8', 'untouchedFirst'),
    read('cs_8', 'untouchedAgain'),
    created('cs_9'),
    // It has rested for longer than any session of an example has lived.
    { ...read('cs_8', 'untouchedLast', { body: last }), startedAt: '2026-01-01T00:00:10.000Z' },
  ];
}

function usePartsOf(id: string, step: string): ExampleParts {
  const values = { sessionId: { value: id, source: 'captured' } } as const;
  return { role: 'probe', label: step, step, status: 200, values };
}

function sessionOperation(role: keyof typeof peers): Operation {
  return exampleOperation({ id: peers[role], role, peers });
}
