import { type ExampleParts, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import { type Examples, example } from '../examples-for-tests.ts';
import { waitMs } from './session-client.ts';
import { parseWalk, wait, wayOf } from './walk.ts';

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
  return used(readOperation, id, step, { body: session(id), ...parts });
}

/** A cancel in a step, answered 200 with a cancelled session unless the parts say otherwise. */
export function cancelled(id: string, step: string, parts: ExampleParts = {}): Exchange {
  return used(cancelOperation, id, step, { body: session(id, 'cancelled'), ...parts });
}

function used({ id: operation }: Operation, id: string, step: string, parts: ExampleParts): Exchange {
  const values = { sessionId: { value: id, source: 'captured' } } as const;
  return example('200', { operation, role: 'probe', label: step, step, values, ...parts });
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

function sessionOperation(role: keyof typeof peers): Operation {
  return exampleOperation({ id: peers[role], role, peers });
}

/** Unusual parts of an example. */
interface Unusual {
  /** The ids of sessions, by letter. */
  readonly ids?: Readonly<Record<string, string>>;
  /** The sessions that reads show, by letter. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Whole bodies, by call with status. */
  readonly bodies?: Readonly<Record<string, string>>;
  /** What creates send, by call with status. */
  readonly sent?: Readonly<Record<string, string>>;
  /** The step of all calls; that of planned calls if absent. */
  readonly step?: string;
}

let walks = 0;
let at = Date.parse('2026-01-01T00:00:00Z');

/**
 * The exchanges of a walk such as `create A 200, cancel A 200, read A 200 cancelled`: calls with their status, and the state
 * that the response shows. A call like the one before it is a retry of that one where it was answered 404 or 429.
 */
export function played(
  text: string,
  { ids = {}, shown = {}, bodies = {}, sent = {}, step = 'call' }: Unusual = {},
): readonly Exchange[] {
  walks += 1;
  const walk = String(walks);
  const calls: string[] = [];
  let before = '';
  return text.split(/,\s+/).flatMap((part): readonly Exchange[] => {
    if (part === wait) {
      calls.push(part);
      at += waitMs;
      return [];
    }
    const [, label = '', status, state] = /^(.+?) (\d{3})(?: (.+))?$/.exec(part) ?? [];
    const [call] = parseWalk(label);
    if (call === undefined || call.act === 'wait') throw new Error(`${part} is not a call with its status`);
    if (![`${label} 404`, `${label} 429`].includes(before)) calls.push(label);
    before = part;
    at += 10;
    const idOf = (letter: string): string => ids[letter] ?? `cs_walk_${walk}_${letter}`;
    const id = idOf(call.session);
    const { credential = 'scoped' } = wayOf(call);
    const row = { sequence: calls.join(', '), walk };
    const shownId = call.act === 'read' ? idOf(shown[call.session] ?? call.session) : id;
    const usual = call.act === 'cancel' ? 'cancelled' : 'open';
    const parts: ExampleParts = {
      ...{ row, step, status: Number(status), credential, label },
      body: bodies[part] ?? session(shownId, state ?? usual),
    };
    const exchange =
      call.act === 'create'
        ? created(
            id,
            { ...parts, role: 'probe' },
            sent[part] ?? JSON.stringify({ basket: call.ways.join(' ') }),
          )
        : { read, cancel: cancelled }[call.act](id, label, parts);
    return [{ ...exchange, startedAt: new Date(at).toISOString() }];
  });
}

/** A walk by its text, or exchanges. */
type Part = string | Exchange | readonly Exchange[];

/** Walks and what came after them, at another operation than that of most examples where it is named. */
type WalkExample =
  | Part
  | readonly Part[]
  | { readonly operation: Operation; readonly exchanges: Part | readonly Part[] };

/** Examples of one operation, as walks by name. */
export function walkExamples(
  operation: Operation,
  lists: Readonly<Record<string, Readonly<Record<string, WalkExample>>>>,
): Examples {
  const whole = (example: WalkExample): object =>
    typeof example === 'object' && 'exchanges' in example
      ? { ...example, exchanges: exchangesOf(example.exchanges) }
      : exchangesOf(example);
  const all = Object.entries(lists).map(([list, examples]) => {
    const named = Object.entries(examples).map(([name, example]) => [name, whole(example)]);
    return [list, Object.fromEntries(named)];
  });
  return { operation, ...Object.fromEntries(all) };
}

function exchangesOf(example: Part | readonly Part[]): readonly Exchange[] {
  return [example].flat(2).flatMap((part) => (typeof part === 'string' ? played(part) : part));
}

/** An example at the operation that reads sessions. */
export function atRead(exchanges: Part | readonly Part[]): WalkExample {
  return { operation: readOperation, exchanges };
}
