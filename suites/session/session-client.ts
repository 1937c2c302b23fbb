import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { varyBody, varyTexts } from '../../harness/checks/vary-body.ts';
import { isBlockedInFront } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges, RawBody } from '../../harness/requests/call-spec.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import { play } from '../../harness/stories/play.ts';
import type { Operation } from '../../spec/operation.ts';
import type { SequenceCall } from './call-sequence.ts';
import { hasStatus, namesOtherSession, SessionEvidence } from './session-evidence.ts';
import type { SessionAct } from './session-story.ts';

/** Milliseconds within which a target may take equal creates for one. */
export const equalWithinMs = 1_100;

const cleanupCall = { role: 'cleanup', label: 'cancels an open session' } as const;

/** The ids of sessions by letter; undefined for a session that could not be created. */
type Ids = Map<string, string | undefined>;

/** Plays stories about sessions in one attempt at a case. */
export class SessionClient {
  readonly #client: CaseClient;
  readonly #operations: Readonly<Record<SequenceCall['act'], Operation>>;
  readonly #open = new Set<string>();
  /** Ids that a read or a cancel has named. */
  readonly #used = new Set<string>();
  #hasCreated = false;

  constructor(client: CaseClient) {
    this.#client = client;
    this.#operations = {
      create: client.withRole('creates-session'),
      read: client.withRole('reads-session'),
      cancel: client.withRole('ends-session'),
    };
  }

  /** What the exchanges so far show. */
  get evidence(): SessionEvidence {
    return new SessionEvidence({ exchanges: this.#client.exchanges, operation: this.#operations.create });
  }

  /** Sends the acts of a story, on new sessions unless ids are given; true if the story did not end early. */
  play(story: readonly SessionAct[], ids: Ids = new Map()): Promise<boolean> {
    return play(this.#client, story, {
      seen: () => this.evidence,
      send: (act) => (act.call.act === 'create' ? this.#begin(act, ids) : this.#use(act, ids)),
    });
  }

  /**
   * Creates a session as set-up and returns its id, after a pause where an equal create returned a session that had been
   * cancelled. Where the target refuses, returns undefined after the first session, as a target may limit open sessions;
   * otherwise throws `InconclusiveError`.
   */
  async create(): Promise<string | undefined> {
    try {
      let id = String(await this.#client.capture('sessionId'));
      if (this.wasCancelled(id)) {
        await this.#client.pause(equalWithinMs);
        id = String(await this.#client.capture('sessionId'));
      }
      this.#hasCreated = true;
      this.#open.add(id);
      return id;
    } catch (error) {
      if (error instanceof InconclusiveError && this.#hasCreated) return undefined;
      throw error;
    }
  }

  /** Whether this run has cancelled a session, even if a create has returned it again. */
  wasCancelled(id: string): boolean {
    return this.#client.hasEndedSession(id);
  }

  /** Cancels the sessions that are still open. */
  async cancelOpen(): Promise<void> {
    for (const id of this.#open) {
      try {
        await this.#cancelOnce(id, cleanupCall);
      } catch (error) {
        // A session that cannot be cancelled ends by its own time-out.
        if (!(error instanceof InconclusiveError)) throw error;
      }
      this.#open.delete(id);
    }
  }

  /** Creates the session of a letter. */
  async #begin(act: SessionAct, ids: Ids): Promise<Exchange | undefined> {
    const { create: operation } = this.#operations;
    let exchange: Exchange | undefined;
    let id: string | undefined;
    for (const changes of this.#variations(act)) {
      const issued = await this.#client.issue('sessionId', act, { ...changes, operation });
      ({ exchange } = issued);
      if (!hasStatus(exchange, 200) || !['string', 'number'].includes(typeof issued.id)) continue;
      id = String(issued.id);
      this.#open.add(id);
      break;
    }
    if (act.orPlain === true) id ??= await this.create();
    ids.set(act.call.session, id);
    if (id !== undefined && act.mayBeShared === true && !this.#used.has(id) && this.wasCancelled(id)) {
      await this.#cancelOnce(id, cleanupCall);
      this.#open.delete(id);
    }
    return exchange;
  }

  /** Reads or cancels the session of a letter; undefined where there is none. */
  async #use(act: SessionAct, ids: Ids): Promise<Exchange | undefined> {
    const { act: verb, session } = act.call;
    if (!ids.has(session)) ids.set(session, await this.create());
    const id = ids.get(session);
    const [letter] = [...ids].find(([, other]) => other === id) ?? [];
    const isAnother = letter === session || act.mayBeShared === true;
    const [changes] = this.#variations(act);
    if (id === undefined || changes === undefined || !isAnother) return undefined;
    if (act.pauseMs !== undefined) await this.#client.pause(act.pauseMs(this.evidence));
    return verb === 'read' ? this.#read(id, act, changes) : this.#cancel(id, act, changes);
  }

  /** What an act changes about the valid call: once for each body that it may send. */
  #variations({ call, changes = {}, varied, orPlain }: SessionAct): readonly CallChanges[] {
    const operation = this.#operations[call.act];
    const { none, invalid, unscoped } = this.#client.keys;
    const [unknown = none] = invalid;
    const wrongKeys = { none, invalid: unknown, unscoped: unscoped ?? unknown };
    const credential = call.credential && { credential: wrongKeys[call.credential] };
    if (varied === undefined) return [{ ...changes, ...credential }];
    const first = this.#client.exchanges.find((one) => one.operation === operation.id);
    const bodies = first === undefined ? [] : this.#bodies(first, varied, operation);
    const hasNone = bodies.length === 0 && orPlain === true && call.act !== 'create';
    return hasNone ? [changes] : bodies.map((body) => ({ ...changes, body }));
  }

  #bodies(
    first: Exchange,
    varied: NonNullable<SessionAct['varied']>,
    operation: Operation,
  ): readonly RawBody[] {
    if ('by' in varied) return varied.by.flatMap((by) => varyBody(first, by) ?? []);
    return this.#client.excludes('unknown-values', 'body', operation) ? [] : varyTexts(first, varied.texts);
  }

  /** Reads a session, and retries while the response may precede a recent write. */
  async #read(id: string, act: SessionAct, changes: CallChanges): Promise<Exchange> {
    this.#used.add(id);
    const operation = this.#operations.read;
    const read = (): Promise<Exchange> =>
      this.#client.call(act, { ...changes, operation, parameters: { sessionId: id } });
    const isOpen = this.#open.has(id) && changes.credential === undefined;
    const { isEarly = (_seen, one) => hasStatus(one, 404) } = act;
    if (act.once === true || (act.isEarly === undefined && !isOpen)) return read();
    return (await this.#client.retryEarly(operation, read, (one) => isEarly(this.evidence, one))).answer;
  }

  /**
   * Cancels a session. Throttled cancels stay among the exchanges, as their effect is unknown. Retries the valid cancel of
   * an open session while the target does not find it yet, or refuses it as it may while the session is initialized.
   */
  async #cancel(id: string, act: SessionAct, changes: CallChanges): Promise<Exchange> {
    const cancel = (): Promise<Exchange> => this.#cancelOnce(id, act, changes);
    if (act.once === true || !this.#open.has(id) || !isValid(changes)) return cancel();
    const isEarly = (one: Exchange): boolean => hasStatus(one, 404, 409);
    const { answer, waitedMs } = await this.#client.retryEarly(this.#operations.cancel, cancel, isEarly);
    if (waitedMs > 0 && hasStatus(answer, 200)) this.#client.propagationTook(2 * waitedMs);
    if (act.own === true && isEarly(answer) && this.wasCancelled(id))
      throw new InconclusiveError('another case cancelled the session, which an equal create had returned', {
        remedy: this.evidence.remedy,
      });
    return answer;
  }

  /** Cancels a session without retries, except for a throttled cancel. */
  async #cancelOnce(
    id: string,
    step: Step | typeof cleanupCall,
    changes: CallChanges = {},
  ): Promise<Exchange> {
    this.#used.add(id);
    const operation = this.#operations.cancel;
    const call = { ...changes, operation, parameters: { sessionId: id } };
    let exchange = await this.#client.call(step, { ...call, acceptThrottled: true });
    if (hasStatus(exchange, 429) || isBlockedInFront(exchange, true))
      exchange = await this.#client.call(step, call);
    if (namesOtherSession(this.#client.exchanges, exchange, operation)) {
      throw new InconclusiveError('the body of a cancel names another session than its path', {
        remedy: `bodies: { ${operation.id}: { … without {sessionId} … } }`,
      });
    }
    if (hasStatus(exchange, 200) || (isValid(changes) && hasStatus(exchange, 404))) this.#open.delete(id);
    return exchange;
  }
}

function isValid({ credential, body }: CallChanges): boolean {
  return credential === undefined && body === undefined;
}
