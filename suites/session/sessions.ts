import { setTimeout as sleep } from 'node:timers/promises';
import { varyBody } from '../../harness/checks/vary-body.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange, ExchangeRole } from '../../harness/model/exchange.ts';
import type { CallSpec } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
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
import { untouchedSessionLabels } from './untouched-session.ts';

/** Milliseconds until a read is tried again: a target may show what was written a little later. */
const pauses = [300, 700];

/** Long enough for a time that is shown in seconds to move on. */
const untouchedSessionPause = 1100;

/** Reads of what ought not to change, enough to see values that come and go at random. */
export const plainReads = 8;

/** What a read or a cancel is within its case. */
export interface Step {
  readonly role: ExchangeRole;
  readonly label: string;
}

/** The checkout sessions of one attempt. */
export class Sessions {
  readonly #client: CaseClient;
  readonly #open = new Set<string>();

  constructor(client: CaseClient) {
    this.#client = client;
  }

  /** Creates a session and gives its id. Throws `InconclusiveError`. */
  async open(): Promise<string> {
    const id = String(await this.#client.capture('sessionId'));
    this.#open.add(id);
    return id;
  }

  /** Creates a session where the target lets it: it may allow only so many at a time. */
  async tryToOpen(): Promise<string | undefined> {
    try {
      return await this.open();
    } catch (error) {
      if (error instanceof InconclusiveError) return undefined;
      throw error;
    }
  }

  /**
   * Creates a session for something else than another one was created for, so that no other probe can be given it;
   * gives undefined where the target does not take it.
   */
  async openOther(model: string, label: string, by: number): Promise<string | undefined> {
    const creation = creationOf(this.#client.exchanges, model);
    const pointer = idPointers(shownByCreate(creation) ?? new Map(), model)[0];
    const body = creation && varyBody(creation, by);
    if (body === undefined || pointer === undefined) return undefined;
    const operation = this.#client.operation(createSession);
    const exchange = await this.#client.call({ role: 'setup', label, operation, body });
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
      operation: this.#client.operation(readSession),
      parameters: { sessionId: id },
    };
    let exchange = await this.#client.call(spec);
    for (const pause of pauses) {
      if (canStay(exchange)) break;
      await sleep(pause);
      exchange = await this.#client.call(spec);
    }
    return exchange;
  }

  /** Cancels a session. A throttled try stays in the evidence, as nobody knows what became of it. */
  async cancel(id: string, step: Step & Pick<CallSpec, 'credential' | 'body'>): Promise<Exchange> {
    const spec = {
      ...step,
      operation: this.#client.operation(cancelSession),
      parameters: { sessionId: id },
    };
    let exchange = await this.#client.call({ ...spec, acceptThrottled: true });
    if (statusOf(exchange) === 429) exchange = await this.#client.call(spec);
    if (fillsAnotherSession(this.#client.exchanges, exchange)) {
      throw new InconclusiveError('the body of a cancel names another session than its path', {
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
  async watchUntouchedSession(other: 'created' | 'created and cancelled', pause = 0): Promise<void> {
    const id = await this.open();
    await this.read(id, { role: 'witness', label: untouchedSessionLabels.first });
    await sleep(pause);
    for (let reads = 1; reads <= plainReads; reads += 1) {
      await this.read(id, { role: 'witness', label: untouchedSessionLabels.second });
    }
    const another = await this.tryToOpen();
    if (another !== undefined && another !== id && other === 'created and cancelled') {
      await this.cancel(another, { role: 'witness', label: 'cancels another session' });
    }
    await this.read(id, { role: 'witness', label: untouchedSessionLabels.third });
  }

  /** The same with a pause that is long enough to show what time alone changes. */
  watchUntouchedSessionForLong(other: 'created' | 'created and cancelled'): Promise<void> {
    return this.watchUntouchedSession(other, untouchedSessionPause);
  }

  /** Cancels what is still open. */
  async leave(): Promise<void> {
    for (const id of this.#open) {
      try {
        await this.cancel(id, { role: 'cleanup', label: 'cancels what is still open' });
      } catch (error) {
        // A session that cannot be cancelled is left to its own time-out.
        if (!(error instanceof InconclusiveError)) throw error;
      }
    }
  }
}

/** Probes sessions while no other probe of the run does, and leaves none of them open. */
export function withSessions(client: CaseClient, act: (sessions: Sessions) => Promise<void>): Promise<void> {
  return client.inTurn(async () => {
    const sessions = new Sessions(client);
    try {
      await act(sessions);
    } finally {
      await sessions.leave();
    }
  });
}
