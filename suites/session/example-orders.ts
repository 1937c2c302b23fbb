import type { Exchange } from '../../harness/model/exchange.ts';
import { cancelled, created, read, session } from './example-session.ts';
import { stepOf } from './order-steps.ts';

/** What is out of the ordinary in an order that was played. */
interface Oddities {
  /** The ids of sessions, by letter. */
  readonly ids?: Readonly<Record<string, string>>;
  /** The ids that reads show, by letter. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** The exchanges of an order such as `create A 200, cancel A 200, cancel A 409`, for examples. */
export function played(text: string, oddities: Oddities = {}): readonly Exchange[] {
  const { ids = {}, shown = {} } = oddities;
  return text.split(', ').map((call) => {
    const [, label = '', status] = /^(.+) (\d+)$/.exec(call) ?? [];
    const step = stepOf(label);
    if (step === undefined) throw new Error(`${call} is no step with its status`);
    const id = ids[step.session] ?? `cs_${step.session}`;
    const parts = { role: 'probe', label, status: Number(status) } as const;
    if (step.act === 'create') return created(id, { ...parts, body: session(id) });
    if (step.act === 'cancel') return cancelled(id, label, parts);
    return read(id, label, { ...parts, body: session(shown[step.session] ?? id) });
  });
}
