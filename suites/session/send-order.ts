import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange, ExchangeRole } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { labelOf, type Order, type OrderStep, type WrongCredential } from './order-steps.ts';
import { cancelSession, createSession, readSession } from './session-evidence.ts';

/** Milliseconds until a fresh session that was not found is asked for again. */
const pauses = [300, 700];

/** Longest wait for the comparison, in milliseconds. */
const longestWait = 5_000;

/** Labels of the session that nothing is done to, with which others are compared. */
export const untouched = {
  create: 'creates a session that is left alone',
  read: 'reads the session that was left alone',
  cancel: 'cancels the session that was left alone',
} as const;

/** Sends orders of calls, each on fresh sessions, one call after the other. */
export class OrderSender {
  readonly #client: CaseClient;
  readonly #wrong: Readonly<Record<WrongCredential, Credential>>;
  readonly #hasUnscoped: boolean;
  /** Operations that no wait has made a session known to. */
  readonly #waitedInVain = new Set<string>();
  /** Creates are followed by the pause that cancels were found to need. */
  #isSettled = false;

  constructor(client: CaseClient) {
    this.#client = client;
    const { none, invalid, unscoped } = client.keys;
    const [unknown = none] = invalid;
    this.#wrong = { none, invalid: unknown, unscoped: unscoped ?? unknown };
    this.#hasUnscoped = unscoped !== undefined;
  }

  /** Sends an order and cancels what it leaves open. Throws `InconclusiveError`. */
  async send(order: Order, role: ExchangeRole): Promise<void> {
    const ids = new Map<string, string>();
    const open = new Set<string>();
    try {
      for (const wanted of order) {
        const step = this.#possible(wanted);
        const id = ids.get(step.session);
        if (step.act === 'create') {
          const made = await this.#create(role, labelOf(step));
          if (made === undefined) continue;
          ids.set(step.session, made);
          open.add(made);
        } else if (id !== undefined) {
          if (step.act === 'read') await this.#read(id, role, step, open.has(id));
          else await this.#cancel(id, role, step, open);
        }
      }
    } finally {
      for (const id of open) await this.#leave(id);
    }
  }

  /** Shows what becomes of a session that is created, left alone for as long, and then read and cancelled. */
  async compare(milliseconds: number, when?: 'after another create'): Promise<void> {
    const other = when && (await this.#create('control', 'creates another session before'));
    const id = await this.#create('control', untouched.create);
    if (id !== undefined) {
      await this.#client.pause(Math.min(milliseconds, longestWait));
      await this.#read(id, 'control', untouched.read, true);
      await this.#call(cancelSession, id, { role: 'control', label: untouched.cancel });
    }
    if (other !== undefined) await this.#leave(other);
  }

  /** The step with a key that is none, where no key without the scope is known. */
  #possible(step: OrderStep): OrderStep {
    return step.wrong === 'unscoped' && !this.#hasUnscoped ? { ...step, wrong: 'invalid' } : step;
  }

  async #create(role: ExchangeRole, label: string): Promise<string | undefined> {
    const operation = this.#client.operation(createSession);
    const exchange = await this.#client.call({ role, label, operation });
    if (statusOf(exchange) !== 200) return undefined;
    const id = this.#client.lastValue('sessionId');
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  }

  async #read(id: string, role: ExchangeRole, step: OrderStep | string, isOpen: boolean): Promise<void> {
    const spec = typeof step === 'string' ? { role, label: step } : { role, ...this.#asked(step) };
    const mayBeEarly = isOpen && spec.credential === undefined;
    await this.#untilKnown(mayBeEarly, () => this.#call(readSession, id, spec));
  }

  /** Asks again after pauses where a session that may not be known yet is not found; with the milliseconds of these. */
  async #untilKnown(
    mayBeEarly: boolean,
    ask: () => Promise<Exchange>,
  ): Promise<{ readonly exchange: Exchange; readonly waited: number }> {
    let exchange = await ask();
    let waited = 0;
    const { operation } = exchange;
    if (!mayBeEarly || this.#waitedInVain.has(operation)) return { exchange, waited };
    for (const pause of pauses) {
      if (statusOf(exchange) !== 404) return { exchange, waited };
      await this.#client.pause(pause);
      waited += pause;
      exchange = await ask();
    }
    if (statusOf(exchange) === 404) this.#waitedInVain.add(operation);
    return { exchange, waited };
  }

  #asked(step: OrderStep): { readonly label: string; readonly credential?: Credential } {
    const label = labelOf(step);
    return step.wrong === undefined ? { label } : { label, credential: this.#wrong[step.wrong] };
  }

  async #cancel(id: string, role: ExchangeRole, step: OrderStep, open: Set<string>): Promise<void> {
    const spec = { role, ...this.#asked(step) };
    const ask = async (): Promise<Exchange> => {
      const exchange = await this.#call(cancelSession, id, { ...spec, acceptThrottled: true });
      // Nobody knows what a throttled cancel did, so it stays in the evidence.
      return statusOf(exchange) === 429 ? this.#call(cancelSession, id, spec) : exchange;
    };
    const mayBeEarly = open.has(id) && step.wrong === undefined && !this.#isSettled;
    const { exchange, waited } = await this.#untilKnown(mayBeEarly, ask);
    if (waited > 0 && statusOf(exchange) === 200) {
      this.#client.propagationTook(2 * waited);
      this.#isSettled = true;
    }
    if (statusOf(exchange) === 200 || statusOf(exchange) === 404) open.delete(id);
  }

  async #call(
    operation: string,
    id: string,
    spec: Omit<Parameters<CaseClient['call']>[0], 'operation' | 'parameters'>,
  ): Promise<Exchange> {
    const before = this.#client.exchanges.length;
    const exchange = await this.#client.call({
      ...spec,
      operation: this.#client.operation(operation),
      parameters: { sessionId: id },
    });
    const taken = this.#client.exchanges.slice(before).some((one) => one.operation === createSession);
    if (taken) {
      throw new InconclusiveError('the body of a cancel names another session than its path', {
        remedy: 'bodies: { cancelHostedCheckoutSession: { … without {sessionId} … } }',
      });
    }
    return exchange;
  }

  async #leave(id: string): Promise<void> {
    try {
      await this.#call(cancelSession, id, { role: 'cleanup', label: 'cancels what is still open' });
    } catch (error) {
      // A session that cannot be cancelled is left to its own time-out.
      if (!(error instanceof InconclusiveError)) throw error;
    }
  }
}
