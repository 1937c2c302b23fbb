import type { Exchange } from '../../harness/model/exchange.ts';
import { parseSequence } from './call-sequence.ts';
import { cancelled, created, read, session } from './example-sessions-for-tests.ts';

/** Unusual parts of an example. */
interface Unusual {
  /** The ids of sessions, by letter. */
  readonly ids?: Readonly<Record<string, string>>;
  /** The ids that reads show, by letter. */
  readonly shown?: Readonly<Record<string, string>>;
}

/**
 * The exchanges of a sequence such as `create A 200, cancel A 200, cancel A 409`. A call like the one before it is a retry
 * of that one where it was answered 404 or 429.
 */
export function played(text: string, { ids = {}, shown = {} }: Unusual = {}): readonly Exchange[] {
  const calls: string[] = [];
  let before = '';
  return text.split(', ').map((part) => {
    const [, label = '', status] = /^(.+) (\d+)$/.exec(part) ?? [];
    if (![`${label} 404`, `${label} 429`].includes(before)) calls.push(label);
    before = part;
    const [call] = parseSequence(label);
    if (call === undefined) throw new Error(`${part} is not a call with its status`);
    const id = ids[call.session] ?? `cs_${call.session}`;
    const row = { sequence: calls.join(', ') };
    const { credential = 'scoped' } = call;
    const parts = { role: 'probe', row, step: 'call', status: Number(status), credential } as const;
    if (call.act === 'create') return created(id, { ...parts, body: session(id) });
    if (call.act === 'cancel') return cancelled(id, label, parts);
    return read(id, label, { ...parts, body: session(shown[call.session] ?? id) });
  });
}
