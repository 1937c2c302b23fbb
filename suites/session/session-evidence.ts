import type { Evidence } from '../../harness/checks/check.ts';
import type { Steps } from '../../harness/checks/step.ts';
import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { callKey } from '../../harness/evidence/call-key.ts';
import { type Leaves, leavesOf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { callOf, isFirstCall } from './call-sequence.ts';

/** The exchanges of one attempt at a session check, without clean-up and without cancels that are no valid calls. */
export class SessionEvidence {
  readonly exchanges: readonly Exchange[];
  /** The same with clean-up. */
  readonly all: readonly Exchange[];
  readonly #peers: NonNullable<Operation['peers']>;
  readonly #steps: Steps | undefined;
  /** By id. */
  #creations: ReadonlyMap<string | undefined, Exchange> | undefined;

  /** Throws on questions about other than the given steps, if any. */
  constructor({ exchanges, operation }: Pick<Evidence, 'exchanges' | 'operation'>, steps?: Steps) {
    this.all = exchanges;
    this.#steps = steps;
    this.#peers = operation.peers ?? {};
    this.exchanges = exchanges.filter(
      (exchange) => exchange.role !== 'cleanup' && !namesOtherSession(exchanges, exchange, operation),
    );
  }

  /** The remedy for a target that returns one session for equal creates. */
  get remedy(): string {
    return `bodies: { ${this.#peers['creates-session']}: { …, <a field that tells creates apart>: "{unique}" } }`;
  }

  /** The exchanges of a step. */
  of(step: string): readonly Exchange[] {
    if (this.#steps !== undefined && !(step in this.#steps)) throw new Error(`no step is named ${step}`);
    return this.exchanges.filter((exchange) => exchange.step === step);
  }

  /** The last exchange of a step that was not throttled. */
  last(step: string): Exchange | undefined {
    return this.of(step).findLast((exchange) => statusOf(exchange) !== 429);
  }

  /** The last exchanges of some steps, as far as there are any. */
  lastOf(...steps: readonly string[]): readonly Exchange[] {
    return steps.flatMap((step) => this.last(step) ?? []);
  }

  /** The fields of the session in the last response of a step; undefined where that is no 200 with JSON. */
  fields(step: string): Leaves | undefined {
    return fieldsOf(this.last(step));
  }

  /** Whether the last response of a step has one of these statuses. */
  answered(step: string, ...statuses: readonly number[]): boolean {
    return hasStatus(this.last(step), ...statuses);
  }

  /** The exchanges up to one that is wrong only in view of them, cleanup included. */
  stepsTo(exchange: Exchange): readonly Exchange[] {
    return this.all.slice(0, this.all.indexOf(exchange) + 1);
  }

  /** Whether an exchange is a call of the operation with a role. */
  is(role: OperationRole, { operation }: Exchange): boolean {
    return operation === this.#peers[role];
  }

  /** The creates, those of set-up included. */
  get creates(): readonly Exchange[] {
    return this.exchanges.filter((one) => this.is('creates-session', one));
  }

  /** The ids of the sessions that reads and cancels named, in the order of their first use. */
  get ids(): readonly string[] {
    return [...new Set(this.exchanges.flatMap((one) => sessionIdOf(one) ?? []))];
  }

  /** The reads and cancels of a session. */
  callsOn(id: string | undefined): readonly Exchange[] {
    return this.exchanges.filter((one) => id !== undefined && sessionIdOf(one) === id);
  }

  /**
   * The id of the session that a create returned, as later calls use it: those of its letter in a call sequence, else the
   * calls before the next create. The place of the id in the response is known to the target file alone.
   */
  idCreatedBy(created: Exchange): string | undefined {
    const letter = callOf(created)?.session;
    for (const one of this.exchanges.slice(this.exchanges.indexOf(created) + 1)) {
      const isCreate = this.is('creates-session', one);
      const isOver = letter === undefined ? isCreate : isFirstCall(one) || callKey(one) === callKey(created);
      if (isOver) return undefined;
      if (!isCreate && callOf(one)?.session === letter) return sessionIdOf(one);
    }
    return undefined;
  }

  /** The first create that returned a session. */
  creationOf(id: string | undefined): Exchange | undefined {
    this.#creations ??= new Map(this.creates.map((one) => [this.idCreatedBy(one), one] as const).reverse());
    return id === undefined ? undefined : this.#creations.get(id);
  }

  /** What the create of a session showed of it. Accepts any status, as a create may wrongly answer 201. */
  createdFields(exchange: Exchange | undefined): Leaves | undefined {
    return bodyFields(this.creationOf(sessionIdOf(exchange)));
  }
}

/**
 * Whether the body of a cancel names another session than its path: one that the client created to fill a placeholder.
 * Such a cancel is not a valid call.
 */
export function namesOtherSession(
  exchanges: readonly Exchange[],
  exchange: Exchange,
  { peers }: Operation,
): boolean {
  const before = exchanges[exchanges.indexOf(exchange) - 1];
  const id = sessionIdOf(exchange);
  const isCancel = exchange.operation === peers?.['ends-session'];
  // Creates of the probe belong to a step, creates of the client do not.
  const isFilled = before?.operation === peers?.['creates-session'] && before?.step === undefined;
  if (!isCancel || !isFilled || id === undefined) return false;
  const created = bodyFields(before);
  if (created === undefined) return false;
  // JSON.parse rounds numbers beyond 2^53, so a create does not show the exact id of its session.
  const isRounded = [...created.values()].some(
    (leaf) => Number.isInteger(leaf) && !Number.isSafeInteger(leaf),
  );
  return !isRounded && !mentions(created, id);
}

/** The session id in the path of a read or cancel. */
export function sessionIdOf(exchange: Exchange | undefined): string | undefined {
  return exchange?.request.values['sessionId']?.value;
}

/** Whether a call has a key or a body that a target must refuse. */
export function isWrongCall(exchange: Exchange): boolean {
  return exchange.request.credential.kind !== 'scoped' || hasWrongBody(exchange);
}

/** Whether a call has a body that a target must refuse. */
export function hasWrongBody({ row }: Exchange): boolean {
  return row?.['body'] !== undefined;
}

/** The fields of the session in a 200 response; undefined for other statuses and for bodies that are not JSON. */
export function fieldsOf(exchange: Exchange | undefined): Leaves | undefined {
  return hasStatus(exchange, 200) ? bodyFields(exchange) : undefined;
}

const known = new WeakMap<Exchange, Leaves | undefined>();

/** The fields of a JSON body, whatever the status. */
export function bodyFields(exchange: Exchange | undefined): Leaves | undefined {
  if (exchange === undefined || known.has(exchange)) return exchange && known.get(exchange);
  const body = parseBody(exchange.response?.body);
  const fields = body === undefined ? undefined : leavesOf(body);
  known.set(exchange, fields);
  return fields;
}

/** Whether a complete response with one of these statuses arrived. */
export function hasStatus(exchange: Exchange | undefined, ...statuses: readonly number[]): boolean {
  const status = exchange && statusOf(exchange);
  return status !== undefined && statuses.includes(status);
}
