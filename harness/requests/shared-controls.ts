import { statusOf } from '../evidence/answer.ts';
import type { CallChanges, CallSpec } from './call-spec.ts';
import type { Answered } from './request-sender.ts';

/** The first valid call of each operation that was answered with 200: other cases need not send it again. */
export class SharedControls {
  readonly #sent = new Map<string, Promise<Answered>>();

  /** The answer to the valid call of another case; where there is none, or none can stand for this one, sends it. */
  async get(operation: string, send: () => Promise<Answered>, isOwn: boolean): Promise<Answered> {
    const before = isOwn ? undefined : this.#sent.get(operation);
    if (before !== undefined) {
      const answered = await before.catch(() => undefined);
      if (answered !== undefined && statusOf(answered.exchange) === 200) return answered;
    }
    const sending = send();
    this.#sent.set(operation, sending);
    return sending;
  }
}

/** Whether a call is the valid one of its operation, on whichever connection. */
export function isPlainControl({ role, operation }: CallSpec, changes: CallChanges): boolean {
  return (
    role === 'control' &&
    operation === undefined &&
    Object.keys(changes).every((name) => ['persistent', 'connection', 'isOwn'].includes(name))
  );
}
