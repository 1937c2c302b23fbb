import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import type { Examples } from '../examples-for-tests.ts';
import { cancelled, created, read, readOperation, session } from './example-sessions-for-tests.ts';
import { waitMs } from './session-client.ts';
import { parseWalk, wait, wayOf } from './walk.ts';

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
    const { credential = 'scoped', wrongBody, ifChanged } = wayOf(call);
    const row = {
      sequence: calls.join(', '),
      walk,
      ...(wrongBody && { body: wrongBody }),
      ...(ifChanged && { condition: 'own tag' }),
    };
    const body = bodies[part];
    const parts = { role: 'probe', row, step, status: Number(status), credential, label } as const;
    const whole = (usual: string): object => ({ ...parts, body: body ?? session(usual, state) });
    const exchange =
      call.act === 'create'
        ? created(id, whole(id), sent[part] ?? JSON.stringify({ basket: call.ways.join(' ') }))
        : call.act === 'cancel'
          ? cancelled(id, label, { ...parts, body: body ?? session(id, state ?? 'cancelled') })
          : read(id, label, whole(idOf(shown[call.session] ?? call.session)));
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
