import { setTimeout as sleep } from 'node:timers/promises';
import type { CallSpec } from '../../harness/requests/call-spec.ts';
import type { Caller } from '../../harness/requests/case-client.ts';
import { CannotJudge } from '../../harness/requests/inconclusive-error.ts';
import { oneAtATime } from '../../harness/checks/one-at-a-time.ts';
import { varyBody } from '../../harness/checks/vary-body.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange, ExchangeRole } from '../../harness/model/exchange.ts';
import { bystanderLabels } from './untouched-session.ts';
import {
  cancelSession,
  createSession,
  creationOf,
  fillsAnotherSession,
  idPointers,
  readSession,
  shownBy,
  shownByCreate,
} from './session-evidence.ts';

/** Milliseconds until a read is tried again: a target may show what was written a little later. */
const pauses = [300, 700];

/** Long enough for a time that is shown in seconds to move on. */
const bystanderPause = 1100;

/** Reads of what ought not to change, enough to see values that come and go at random. */
export const plainReads = 8;

/** What a read or a cancel is within its case. */
export interface Step {
  readonly role: ExchangeRole;
  readonly label: string;
}

/** The checkout sessions of one attempt. */
export class Sessions {
  readonly #caller: Caller;
  readonly #open = new Set<string>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates a session and gives its id. Throws `CannotJudge`. */
  async open(): Promise<string> {
    const id = String(await this.#caller.capture('sessionId'));
    this.#open.add(id);
    return id;
  }

  /** Creates a session where the target lets it: it may allow only so many at a time. */
  async tryToOpen(): Promise<string | undefined> {
    try {
      return await this.open();
    } catch (error) {
      if (error instanceof CannotJudge) return undefined;
      throw error;
    }
  }

  /**
   * Creates a session for something else than another one was created for, so that no other probe can be given it;
   * gives undefined where the target does not take it.
   */
  async openOther(model: string, label: string, by: number): Promise<string | undefined> {
    const creation = creationOf(this.#caller.exchanges, model);
    const pointer = idPointers(shownByCreate(creation) ?? new Map(), model)[0];
    const body = creation && varyBody(creation, by);
    if (body === undefined || pointer === undefined) return undefined;
    const operation = this.#caller.operation(createSession);
    const exchange = await this.#caller.call({ role: 'setup', label, operation, body });
    const id = shownBy(exchange)?.get(pointer);
    if (id === undefined || id === null) return undefined;
    this.#open.add(String(id));
    return String(id);
  }

  /** Reads a session, and again after pauses while the answer is not one that can stay. */
  async read(
    id: string,
    step: Step,
    canStay: (exchange: Exchange) => boolean = (exchange) => statusOf(exchange) !== 404,
  ): Promise<Exchange> {
    const spec = {
      ...step,
      operation: this.#caller.operation(readSession),
      parameters: { sessionId: id },
    };
    let exchange = await this.#caller.call(spec);
    for (const pause of pauses) {
      if (canStay(exchange)) break;
      await sleep(pause);
      exchange = await this.#caller.call(spec);
    }
    return exchange;
  }

  /** Cancels a session. A throttled try stays in the evidence, as nobody knows what became of it. */
  async cancel(id: string, step: Step & Pick<CallSpec, 'credential' | 'body'>): Promise<Exchange> {
    const spec = {
      ...step,
      operation: this.#caller.operation(cancelSession),
      parameters: { sessionId: id },
    };
    let exchange = await this.#caller.call({ ...spec, acceptThrottled: true });
    if (statusOf(exchange) === 429) exchange = await this.#caller.call(spec);
    if (fillsAnotherSession(this.#caller.exchanges, exchange)) {
      throw new CannotJudge('the body of a cancel names another session than its path', {
        remedy: 'bodies: { cancelHostedCheckoutSession: { … without {sessionId} … } }',
      });
    }
    if (step.credential === undefined && step.body === undefined) this.#open.delete(id);
    return exchange;
  }

  /**
   * Shows whether a session that nobody cancels stays as it is, over a pause and while another one is created and, if
   * so asked, cancelled.
   */
  async watchBystander(other: 'created' | 'created and cancelled', pause = 0): Promise<void> {
    const id = await this.open();
    await this.read(id, { role: 'witness', label: bystanderLabels.first });
    await sleep(pause);
    for (let reads = 1; reads <= plainReads; reads += 1) {
      await this.read(id, { role: 'witness', label: bystanderLabels.second });
    }
    const another = await this.tryToOpen();
    if (another !== undefined && another !== id && other === 'created and cancelled') {
      await this.cancel(another, { role: 'witness', label: 'cancels another session' });
    }
    await this.read(id, { role: 'witness', label: bystanderLabels.third });
  }

  /** The same with a pause that is long enough to show what time alone changes. */
  watchBystanderForLong(other: 'created' | 'created and cancelled'): Promise<void> {
    return this.watchBystander(other, bystanderPause);
  }

  /** Cancels what is still open. */
  async leave(): Promise<void> {
    for (const id of this.#open) {
      try {
        await this.cancel(id, { role: 'cleanup', label: 'cancels what is still open' });
      } catch (error) {
        // A session that cannot be cancelled is left to its own time-out.
        if (!(error instanceof CannotJudge)) throw error;
      }
    }
  }
}

/** Probes sessions while no other probe of the run does, and leaves none of them open. */
export function withSessions(caller: Caller, act: (sessions: Sessions) => Promise<void>): Promise<void> {
  return oneAtATime(caller, async () => {
    const sessions = new Sessions(caller);
    try {
      await act(sessions);
    } finally {
      await sessions.leave();
    }
  });
}
