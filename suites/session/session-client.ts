import { setTimeout as pause } from 'node:timers/promises';
import type { CaseClient } from '../../harness/calls/case-client.ts';
import { longestPropagation } from '../../harness/calls/propagation-delay.ts';
import type { Step } from '../../harness/checks/step.ts';
import { bodyOf, extendBody, variedBodies } from '../../harness/checks/vary-body.ts';
import {
  cookiesSetBy,
  hasStatus,
  headerOf,
  isBlockedInFront,
  parseBody,
} from '../../harness/evidence/answer.ts';
import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import { withOneEncoded } from '../../harness/fuzzing/path-segment.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { CallChanges, RawBody } from '../../harness/requests/call-spec.ts';
import { InconclusiveError, unlessInconclusive } from '../../harness/requests/inconclusive-error.ts';
import type { Operation } from '../../spec/operation.ts';
import { mayPrecedeCancel } from './cancel-reports.ts';
import { namesOtherSession, SessionEvidence } from './session-evidence.ts';
import { describeWalk, labelOf, parseWalk, type Walk, type WalkCall, type Way, wayOf } from './walk.ts';

/** Milliseconds within which a target may take equal creates for one. */
export const equalWithinMs = 1_100;

/** Milliseconds of a wait in a walk: each part of a target must know by then what happened before, and some for the way. */
export const waitMs: number = longestPropagation + 200;

const cleanupCall = { role: 'cleanup', label: 'cancels an open session' } as const;
const brokenBody = { bytes: Buffer.from('{"broken": '), contentType: 'application/json' };

/** Milliseconds in which a service begins with a call, and does not end it if it is a write. */
const momentMs = 8;

/** The ids of sessions by letter; undefined for a session that could not be created. */
type Ids = Map<string, string | undefined>;

/** A step of calls in walks. */
export interface WalkStep extends Step {
  /** Sent without retries. */
  readonly once?: true;
  /** A session that another case has cancelled, and a create has returned, is left as it is. */
  readonly asReturned?: true;
}

/** Sends more calls on the sessions of a walk. */
export type Continue = (calls: Walk | string, step: WalkStep) => Promise<void>;

/** One call or wait of a walk, with the step that it counts for. */
interface Act extends WalkStep {
  readonly call: WalkCall;
  readonly row?: Row;
}

/** Sends walks in one attempt at a case. */
export class SessionClient {
  readonly client: CaseClient;
  readonly #operations: Readonly<Record<'create' | 'read' | 'cancel', Operation>>;
  readonly #open = new Set<string>();
  /** Ids that a read or a cancel has named. */
  readonly #used = new Set<string>();
  /** Ids of sessions that a cancel of this attempt has ended. */
  readonly #ended = new Set<string>();
  /** The other body that a target accepted, by its place among those of a way. */
  readonly #accepted = new Map<Way['varied'], RawBody>();
  #hasCreated = false;
  #walks = 0;
  /** How many exchanges there were before the calls that are under way. */
  #settled = 0;
  /** Whether the last create returned a session that this run had cancelled. */
  hasReturned = false;

  constructor(client: CaseClient) {
    this.client = client;
    this.#operations = {
      create: client.withRole('creates-session'),
      read: client.withRole('reads-session'),
      cancel: client.withRole('ends-session'),
    };
  }

  /** What the exchanges so far show. */
  get evidence(): SessionEvidence {
    return new SessionEvidence({ exchanges: this.client.exchanges, operation: this.client.caseOperation });
  }

  /** Sends a walk; the row of each exchange holds the calls up to its own. */
  walk(walk: Walk | string, step: WalkStep): Promise<Continue> {
    this.#walks += 1;
    const nth = String(this.#walks);
    return this.#start(walk, step, (call, sent) => ({
      label: labelOf(call),
      row: { sequence: describeWalk(sent), walk: nth },
    }));
  }

  /** Sends calls that belong to no walk, under the labels of their steps. */
  apart(calls: string, step: WalkStep): Promise<Continue> {
    return this.#start(calls, step, () => ({}));
  }

  async #start(
    first: Walk | string,
    step: WalkStep,
    partsOf: (call: WalkCall, sent: Walk) => Partial<Act>,
  ): Promise<Continue> {
    const ids: Ids = new Map();
    const sent: WalkCall[] = [];
    const send: Continue = async (more, of) => {
      const acts = (typeof more === 'string' ? parseWalk(more) : more).map((call): Act => {
        sent.push(call);
        return { ...of, ...partsOf(call, sent), call };
      });
      await this.#play(acts, ids);
    };
    await send(first, step);
    return send;
  }

  /** Sends acts in their order, those beside one another at once; calls on a session that is not there are left out. */
  async #play(acts: readonly Act[], ids: Ids): Promise<void> {
    const starts = acts.flatMap(({ call }, at) => (wayOf(call).beside !== undefined && at > 0 ? [] : [at]));
    for (const [nth, start] of starts.entries()) {
      const group = acts.slice(start, starts[nth + 1]);
      this.#settled = this.client.exchanges.length;
      const begin = async (act: Act): Promise<void> => {
        if (wayOf(act.call).beside === 'later') await pause(momentMs);
        await this.#send(act, ids, group.length > 1);
      };
      await Promise.all(group.map(begin));
    }
  }

  async #send(act: Act, ids: Ids, isInGroup: boolean): Promise<unknown> {
    const { call } = act;
    if (call.act === 'wait') return this.client.pauseInTurn(waitMs, this.#open.size > 0);
    return call.act === 'create' ? this.#begin(act, ids) : this.#use(act, ids, isInGroup);
  }

  /**
   * Creates a session as set-up and returns its id, after a pause where an equal create returned a session that had been
   * cancelled. Where the target refuses, returns undefined after the first session, as a target may limit open sessions;
   * otherwise throws `InconclusiveError`.
   */
  async #createOpen(): Promise<string | undefined> {
    try {
      let id = String(await this.client.capture('sessionId'));
      if (this.client.hasEndedSession(id)) {
        await this.client.pause(equalWithinMs);
        id = String(await this.client.capture('sessionId'));
      }
      this.#hasCreated = true;
      this.#open.add(id);
      return id;
    } catch (error) {
      if (error instanceof InconclusiveError && this.#hasCreated) return undefined;
      throw error;
    }
  }

  /** Cancels the sessions that are still open. */
  async cancelOpen(): Promise<void> {
    for (const id of this.#open) {
      // A session that cannot be cancelled ends by its own time-out.
      await unlessInconclusive(() => this.#cancelOnce(id, cleanupCall));
      this.#open.delete(id);
    }
  }

  /** Creates the session of a letter; in place of one with another body that is refused, a plain one. */
  async #begin(act: Act, ids: Ids): Promise<void> {
    const { call } = act;
    const { varied } = wayOf(call);
    let id: string | undefined;
    for (const changes of this.#variations(act, this.#operations.create)) {
      const issued = await this.client.issue('sessionId', act, changes);
      if (!hasStatus(issued.exchange, 200) || issued.id === undefined) continue;
      id = String(issued.id);
      this.#hasCreated = true;
      this.#open.add(id);
      if (typeof changes.body === 'object') this.#accepted.set(varied, changes.body);
      break;
    }
    if (varied !== undefined) id ??= await this.#createOpen();
    ids.set(call.session, id);
    this.hasReturned = id !== undefined && this.client.hasEndedSession(id);
    if (id !== undefined && !this.#used.has(id)) await this.#showEnd(id, act);
  }

  /** Where another case has ended a session, which a create may have returned to both, the exchanges must show that. */
  async #showEnd(id: string, { asReturned }: Act): Promise<void> {
    const isShown = asReturned === true || !this.#open.has(id) || this.#ended.has(id);
    if (isShown || !this.client.hasEndedSession(id)) return;
    await this.#cancelOnce(id, cleanupCall);
    this.#open.delete(id);
  }

  /** Reads or cancels the session of a letter, where there is one. */
  async #use(act: Act, ids: Ids, isInGroup: boolean): Promise<void> {
    const { call } = act;
    if (!ids.has(call.session)) ids.set(call.session, await this.#createOpen());
    const id = ids.get(call.session);
    const operation = this.#operations[call.act === 'read' ? 'read' : 'cancel'];
    const [changes] = id === undefined ? [] : this.#variations(act, operation, id);
    if (id === undefined || changes === undefined) return;
    if (!isInGroup) await this.#showEnd(id, act);
    const isOnce = isInGroup || act.once === true;
    if (call.act === 'read') await this.#readSession(id, act, changes, isOnce);
    else await this.#cancelSession(id, act, changes, isOnce);
  }

  /** What a call changes about the valid one: once for each body that it may send. */
  #variations({ row, call }: Act, operation: Operation, id = ''): readonly CallChanges[] {
    const { credential, wrongBody, varied, neutral, spelling, ifChanged } = wayOf(call);
    const condition = ifChanged && this.#conditionOf(id);
    if (ifChanged && condition === undefined) return [];
    const { none, invalid, unscoped } = this.client.keys;
    const [unknown = none] = invalid;
    const keys = { none, invalid: unknown, unscoped: unscoped ?? unknown };
    const rider = neutral === 'cookies' ? this.#cookies() : neutral;
    const changes = {
      operation,
      // A create names no session; a later call would take one from it.
      ...(id !== '' &&
        (spelling === 'percent-encoded'
          ? { rawParameters: { sessionId: withOneEncoded(id) } }
          : { parameters: { sessionId: spelling === undefined ? id : id.toUpperCase() } })),
      ...(credential && { credential: keys[credential] }),
      ...(wrongBody && { body: wrongBody === 'none' ? wrongBody : brokenBody }),
      ...(rider && { neutral: [rider] }),
      ...(condition && { headers: condition }),
      row: {
        ...row,
        ...(wrongBody && { body: wrongBody }),
        ...(spelling && { session: id }),
        ...(condition && { condition: 'own tag' }),
        ...(id !== '' && this.client.sharesSession(id) && { shared: 'session' }),
      },
    };
    const bodies = varied === undefined ? [] : this.#bodies(operation, varied);
    const isPlain = varied === undefined || (bodies.length === 0 && call.act === 'cancel');
    return isPlain ? [changes] : bodies.map((body) => ({ ...changes, body }));
  }

  #bodies(operation: Operation, varied: NonNullable<Way['varied']>): readonly RawBody[] {
    const accepted = this.#accepted.get(varied);
    if (accepted !== undefined && operation === this.#operations.create) return [accepted];
    const first = this.client.exchanges.find(
      (one) => one.operation === operation.id && one.row?.['body'] === undefined,
    );
    const texts = !this.client.excludes('unknown-values', 'body', operation);
    if (first === undefined) return [];
    return varied.flatMap((by) => {
      if (by === 'read') return extendBody(first, this.#lastRead()) ?? [];
      if (typeof by === 'function' && !texts) return [];
      if (typeof by !== 'object' || 'write' in by) return variedBodies(first, by);
      const body = bodyOf(first);
      return body === undefined ? [] : { ...body, ...by };
    });
  }

  /** The condition that the first read of a session makes possible: by its entity tag, or else by its time. */
  #conditionOf(id: string): CallChanges['headers'] {
    const [read] = this.evidence.callsOn(id).filter((one) => one.operation === this.#operations.read.id);
    const [tag, time] = ['etag', 'last-modified'].map((name) => read && headerOf(read, name));
    if (tag !== undefined) return { 'if-none-match': tag };
    return time === undefined ? undefined : { 'if-modified-since': time };
  }

  /** The members that the last read showed. */
  #lastRead(): Readonly<Record<string, Json>> {
    const read = this.client.exchanges.findLast(
      (one) => one.operation === this.#operations.read.id && hasStatus(one, 200),
    );
    const shown = parseBody(read?.response?.body) as Json | undefined;
    return isJsonMembers(shown) ? shown : {};
  }

  /** The cookies that the target set last; which of several calls at once is answered first is a matter of chance. */
  #cookies(): readonly ['cookie', string] | undefined {
    const settled = this.client.exchanges.slice(0, this.#settled);
    const set = settled.flatMap((one) => cookiesSetBy(one).split('; ')).filter(Boolean);
    const byName = new Map(set.map((one) => [one.split('=')[0], one]));
    return byName.size === 0 ? undefined : ['cookie', [...byName.values()].join('; ')];
  }

  /** Reads a session, and retries while the response may precede a recent write. */
  async #readSession(id: string, act: Act, changes: CallChanges, isOnce: boolean): Promise<unknown> {
    this.#used.add(id);
    const read = (): Promise<Exchange> => this.client.call(act, changes);
    if (isOnce || wayOf(act.call).spelling !== undefined || changes.credential !== undefined) return read();
    const isOpen = this.#open.has(id);
    return this.client.retryEarly(this.#operations.read, read, (one) =>
      isOpen ? hasStatus(one, 404) : mayPrecedeCancel(this.evidence, one),
    );
  }

  /**
   * Cancels a session; a target may refuse another spelling of its id at any time. Throttled cancels stay among the
   * exchanges, as their effect is unknown. Retries the valid cancel of an open session while the target does not find it
   * yet, or refuses it as it may while the session is initialized.
   */
  async #cancelSession(id: string, act: Act, changes: CallChanges, isOnce: boolean): Promise<unknown> {
    if (isOnce) return this.#cancelOnce(id, act, { ...changes, propagationDelayMs: 0 });
    const cancel = (): Promise<Exchange> => this.#cancelOnce(id, act, changes);
    if (!this.#open.has(id) || wayOf(act.call).spelling !== undefined || !isValid(changes)) return cancel();
    const isEarly = (one: Exchange): boolean => hasStatus(one, 404, 409);
    const { answer, waitedMs } = await this.client.retryEarly(this.#operations.cancel, cancel, isEarly);
    if (waitedMs > 0 && hasStatus(answer, 200)) this.client.propagationTook(2 * waitedMs);
    return answer;
  }

  /** Cancels a session without retries, except for a throttled cancel. */
  async #cancelOnce(
    id: string,
    step: Act | typeof cleanupCall,
    changes: CallChanges = { parameters: { sessionId: id } },
  ): Promise<Exchange> {
    this.#used.add(id);
    const operation = this.#operations.cancel;
    const call = { ...changes, operation };
    let exchange = await this.client.call(step, { ...call, acceptThrottled: true });
    if (hasStatus(exchange, 429) || isBlockedInFront(exchange, true))
      exchange = await this.client.call(step, call);
    const { exchanges } = this.client;
    if (namesOtherSession(exchanges[exchanges.lastIndexOf(exchange) - 1], exchange, operation)) {
      throw new InconclusiveError('the body of a cancel names another session than its path', {
        remedy: `bodies: { ${operation.id}: { … without {sessionId} … } }`,
      });
    }
    if (hasStatus(exchange, 200)) this.#ended.add(id);
    if (hasStatus(exchange, 200) || (isValid(changes) && hasStatus(exchange, 404))) this.#open.delete(id);
    return exchange;
  }
}

function isValid({ credential, body }: CallChanges): boolean {
  return credential === undefined && body === undefined;
}
