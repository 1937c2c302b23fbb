import type { Operation } from '../../spec/operation.ts';
import { statusOf } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Answered, CallChanges, CallSpec } from '../requests/call-spec.ts';

export interface WantedControl {
  readonly operation: Operation;
  readonly step: string | undefined;
  /** The call of another case cannot replace it. */
  readonly isOwn: boolean;
}

/** The first valid call of each operation that was answered with 200: other cases need not send it again. */
export class SharedControls {
  readonly #sent = new Map<string, Promise<Answered>>();

  /** The response to the valid call of another case; sends the call if there is none that can replace it. */
  async get({ operation: { id }, isOwn }: WantedControl, send: () => Promise<Answered>): Promise<Answered> {
    const before = isOwn ? undefined : this.#sent.get(id);
    return (before && (await accepted(before))) ?? this.#keep(id, send());
  }

  #keep(call: string, sending: Promise<Answered>): Promise<Answered> {
    this.#sent.set(call, sending);
    return sending;
  }

  /**
   * Notes a response of an operation: after a server error, an earlier valid call says nothing about later calls. A client
   * that did not wait for its response says nothing about the target.
   */
  note(operation: string, exchange: Exchange): void {
    if (exchange.failure?.kind !== 'abandoned' && (statusOf(exchange) ?? 500) >= 500)
      this.#sent.delete(operation);
  }

  /** The answer from which a value is taken that need not be unused: to the valid call, or else to one that is sent for it. */
  async forValues(
    operation: string,
    send: () => Promise<Answered>,
    isUsable: (answered: Answered) => boolean,
  ): Promise<Answered> {
    const setUp = `set-up by ${operation}`;
    for (const call of [operation, setUp]) {
      const before = this.#sent.get(call);
      const answered = before && (await accepted(before));
      if (answered !== undefined && isUsable(answered)) return answered;
    }
    return this.#keep(setUp, send());
  }
}

async function accepted(sent: Promise<Answered>): Promise<Answered | undefined> {
  const answered = await sent.catch(() => undefined);
  return answered !== undefined && statusOf(answered.exchange) === 200 ? answered : undefined;
}

/** Whether a call is the valid one of its operation, on any connection. */
export function isPlainControl({ role, operation }: CallSpec, changes: CallChanges): boolean {
  return (
    role === 'control' &&
    operation === undefined &&
    Object.keys(changes).every((name) => ['persistent', 'connection', 'isOwn'].includes(name))
  );
}

/** The call of another case that provides a value, rewritten as a call of the case that uses it. */
export function asSetUp({ step: _step, ...exchange }: Exchange): Exchange {
  return { ...exchange, role: 'setup' };
}
