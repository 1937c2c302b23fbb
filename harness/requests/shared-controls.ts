import { statusOf } from '../evidence/answer.ts';
import type { CallChanges, CallSpec } from './call-spec.ts';
import type { Answered } from './request-sender.ts';

/** The first valid call of each operation that was answered with 200: other cases need not send it again. */
export class SharedControls {
  readonly #sent = new Map<string, Promise<Answered>>();

  /** The answer to the valid call of another case; where there is none, or none can stand for this one, sends it. */
  async get(operation: string, send: () => Promise<Answered>, isOwn: boolean): Promise<Answered> {
    const before = isOwn ? undefined : this.#sent.get(operation);
    const answered = before && (await accepted(before));
    if (answered !== undefined) return answered;
    const sending = send();
    this.#sent.set(operation, sending);
    return sending;
  }

  /** The answer from which a value is taken that need not be unused: to the valid call, or else to one that is sent for it. */
  async forValues(operation: string, send: () => Promise<Answered>): Promise<Answered> {
    const valid = this.#sent.get(operation);
    return (valid && (await accepted(valid))) ?? this.get(`set-up by ${operation}`, send, false);
  }
}

async function accepted(sent: Promise<Answered>): Promise<Answered | undefined> {
  const answered = await sent.catch(() => undefined);
  return answered !== undefined && statusOf(answered.exchange) === 200 ? answered : undefined;
}

/** Whether a call is the valid one of its operation, on whichever connection. */
export function isPlainControl({ role, operation }: CallSpec, changes: CallChanges): boolean {
  return (
    role === 'control' &&
    operation === undefined &&
    Object.keys(changes).every((name) => ['persistent', 'connection', 'isOwn'].includes(name))
  );
}
