import type { Step } from '../../harness/checks/step.ts';
import { varyBody } from '../../harness/checks/vary-body.ts';
import { isBlockedInFront } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges, RawBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import type { Operation } from '../../spec/operation.ts';
import { namesOtherSession, SessionEvidence } from './session-evidence.ts';
import { hasStatus, sessionIdOf } from './session-exchange.ts';
import { uniqueBodyRemedy } from './session-operations.ts';

/** Milliseconds within which a target may take equal creates for one. */
export const equalWithinMs = 1_100;

const cleanupCall = { role: 'cleanup', label: 'cancels an open session' } as const;

/** Creates, reads and cancels sessions in one attempt at a case. */
export class SessionClient {
  readonly #client: CaseClient;
  readonly #create: Operation;
  readonly #read: Operation;
  readonly #cancel: Operation;
  readonly #open = new Set<string>();

  constructor(client: CaseClient) {
    this.#client = client;
    this.#create = client.withRole('creates-session');
    this.#read = client.withRole('reads-session');
    this.#cancel = client.withRole('ends-session');
  }

  /** What the exchanges so far show. */
  get evidence(): SessionEvidence {
    return new SessionEvidence({ exchanges: this.#client.exchanges, operation: this.#create });
  }

  /** Waits. */
  pause(ms: number): Promise<void> {
    return this.#client.pause(ms);
  }

  /**
   * Creates a session as set-up and returns its id, after a pause where an equal create returned a session that had been
   * cancelled. Throws `InconclusiveError` where the target refuses.
   */
  async create(): Promise<string> {
    let id = String(await this.#client.capture('sessionId'));
    if (this.#client.hasEndedSession(id)) {
      await this.pause(equalWithinMs);
      id = String(await this.#client.capture('sessionId'));
    }
    this.#open.add(id);
    return id;
  }

  /** Whether this run has cancelled a session, even if a create has returned it again. */
  wasCancelled(id: string): boolean {
    return this.#client.hasEndedSession(id);
  }

  /** Creates a session; undefined where the target refuses, as it may limit the number of open sessions. */
  async tryToCreate(): Promise<string | undefined> {
    try {
      return await this.create();
    } catch (error) {
      if (error instanceof InconclusiveError) return undefined;
      throw error;
    }
  }

  /** Creates a session in a step of the probe; undefined where the response is not a 200 with an id. */
  async createIn(step: Step, changes: CallChanges = {}): Promise<string | undefined> {
    const { exchange, id } = await this.#client.issue('sessionId', step, {
      ...changes,
      operation: this.#create,
    });
    if (!hasStatus(exchange, 200)) return undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    this.#open.add(String(id));
    return String(id);
  }

  /**
   * Creates a session with another body than the first create. Undefined where the body has nothing to vary, or the
   * target refuses the variation.
   */
  async createWithOtherBody(step: Step, by: number): Promise<string | undefined> {
    const first = this.firstCreate;
    const body = first && varyBody(first, by);
    return body && this.createIn(step, { body });
  }

  /** Creates a session with the first of the bodies that the target accepts; undefined where it refuses all. */
  async createWithOneOf(
    step: Step,
    bodies: readonly RawBody[],
  ): Promise<{ readonly id: string; readonly body: RawBody } | undefined> {
    for (const body of bodies) {
      const id = await this.createIn(step, { body });
      if (id !== undefined) return { id, body };
    }
    return undefined;
  }

  /** The create that began the attempt; undefined where there is none. */
  get firstCreate(): Exchange | undefined {
    return this.#client.exchanges.find(({ operation }) => operation === this.#create.id);
  }

  /** Creates a session with a much larger body than the first create, a little larger where that is refused, or else the same. */
  async createAnother(step: Step): Promise<string | undefined> {
    return (
      (await this.createWithOtherBody(step, 250)) ??
      (await this.createWithOtherBody(step, 2)) ??
      (await this.tryToCreate())
    );
  }

  /** Reads a session, and retries while the response may precede a recent write: after a 404, unless told otherwise. */
  async read(
    id: string,
    step: Step,
    isEarly: (exchange: Exchange) => boolean = isNotFound,
  ): Promise<Exchange> {
    const { answer } = await this.#client.retryEarly(this.#read, () => this.readOnce(id, step), isEarly);
    return answer;
  }

  /** Reads a session without retries. */
  readOnce(id: string, step: Step, changes: CallChanges = {}): Promise<Exchange> {
    return this.#client.call(step, { ...changes, operation: this.#read, parameters: { sessionId: id } });
  }

  /**
   * Cancels a session. Throttled cancels stay among the exchanges, as their effect is unknown. Retries the valid cancel of
   * an open session while the target does not find it yet, or refuses it as it may while the session is initialized.
   */
  async cancel(id: string, step: Step, changes: CallChanges = {}): Promise<Exchange> {
    const cancel = (): Promise<Exchange> => this.cancelOnce(id, step, changes);
    if (!this.#open.has(id) || !isValid(changes)) return cancel();
    const { answer, waitedMs } = await this.#client.retryEarly(this.#cancel, cancel, (one) =>
      hasStatus(one, 404, 409),
    );
    if (waitedMs > 0 && hasStatus(answer, 200)) this.#client.propagationTook(2 * waitedMs);
    return answer;
  }

  /** Like `cancel`; throws `InconclusiveError` where another case has cancelled a session that an equal create returned to both. */
  async cancelOwn(id: string, step: Step): Promise<Exchange> {
    const answer = await this.cancel(id, step);
    if (hasStatus(answer, 404, 409) && this.#client.hasEndedSession(id))
      throw new InconclusiveError('another case cancelled the session, which an equal create had returned', {
        remedy: uniqueBodyRemedy(this.#create),
      });
    return answer;
  }

  /** Whether a session was created and not cancelled. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /**
   * Cancels a session that another case has ended and that an equal create returned again, so that the exchanges of this
   * case show that it may have ended.
   */
  async cancelIfEndedBefore(id: string): Promise<void> {
    const isOwn = this.#client.exchanges.some((exchange) => sessionIdOf(exchange) === id);
    if (isOwn || !this.#client.hasEndedSession(id)) return;
    await this.cancelOnce(id, cleanupCall);
    this.#open.delete(id);
  }

  /** Cancels the sessions that are still open. */
  async cancelOpen(): Promise<void> {
    for (const id of this.#open) {
      try {
        await this.cancelOnce(id, cleanupCall);
      } catch (error) {
        // A session that cannot be cancelled ends by its own time-out.
        if (!(error instanceof InconclusiveError)) throw error;
      }
      this.#open.delete(id);
    }
  }

  /** Cancels a session without retries, except for a throttled cancel. */
  async cancelOnce(
    id: string,
    step: Step | typeof cleanupCall,
    changes: CallChanges = {},
  ): Promise<Exchange> {
    const call = { ...changes, operation: this.#cancel, parameters: { sessionId: id } };
    let exchange = await this.#client.call(step, { ...call, acceptThrottled: true });
    if (hasStatus(exchange, 429) || isBlockedInFront(exchange, true))
      exchange = await this.#client.call(step, call);
    if (namesOtherSession(this.#client.exchanges, exchange, this.#cancel)) {
      throw new InconclusiveError('the body of a cancel names another session than its path', {
        remedy: `bodies: { ${this.#cancel.id}: { … without {sessionId} … } }`,
      });
    }
    if (hasStatus(exchange, 200) || (isValid(changes) && isNotFound(exchange))) this.#open.delete(id);
    return exchange;
  }
}

/** Lets a probe use sessions while no other probe of the run does, and cancels the open ones afterwards. */
export function withSessions(
  client: CaseClient,
  probe: (sessions: SessionClient) => Promise<void>,
): Promise<void> {
  return client.inTurn(async () => {
    const sessions = new SessionClient(client);
    try {
      await probe(sessions);
    } finally {
      await sessions.cancelOpen();
    }
  });
}

function isValid({ credential, body }: CallChanges): boolean {
  return credential === undefined && body === undefined;
}

function isNotFound(exchange: Exchange): boolean {
  return hasStatus(exchange, 404);
}
