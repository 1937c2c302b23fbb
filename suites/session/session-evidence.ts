import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '../../harness/checks/check.ts';
import { hasStatus, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { type Leaves, leavesOf, mentions } from '../../harness/evidence/json-leaves.ts';
import { groupBy } from '../../harness/group-by.ts';
import { keptAt } from '../../harness/kept-at.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { callOf, type Place, placeOf, walkOf, wayAt } from './walk.ts';

/** The exchanges of one attempt at a session check, without clean-up and without cancels that are no valid calls. */
export class SessionEvidence {
  readonly exchanges: readonly Exchange[];
  /** The same with clean-up. */
  readonly all: readonly Exchange[];
  /** The operation of the case. */
  readonly operation: Operation;
  // Contradictions are looked for after each walk, in all exchanges so far.
  readonly #ofGroups = once(() => groupBy(this.exchanges, (one) => placeOf(one)?.group));
  readonly #ofOperations = once(() => groupBy(this.exchanges, ({ operation }) => operation));
  readonly #ofSessions = once(() => groupBy(this.exchanges, sessionIdOf));
  readonly #places = once(() => new Map(this.exchanges.map((one, at) => [one, at])));
  /** The calls of walks that use the session of a letter. */
  readonly #uses = once(() =>
    groupBy(
      this.exchanges.filter((one) => !this.is('creates-session', one)),
      (one) => useKey(placeOf(one)),
    ),
  );

  /** The first create of each session. */
  readonly #creations = once(
    () =>
      new Map(
        this.by('creates-session')
          .map((one) => [this.idCreatedBy(one), one] as const)
          .reverse(),
      ),
  );

  constructor({ exchanges, operation }: Pick<Evidence, 'exchanges' | 'operation'>) {
    this.all = exchanges;
    this.operation = operation;
    this.exchanges = exchanges.filter(
      (exchange, at) =>
        exchange.role !== 'cleanup' && !namesOtherSession(exchanges[at - 1], exchange, operation),
    );
  }

  /** The remedy for a target that returns one session for equal creates. */
  get remedy(): string {
    return `bodies: { ${this.operation.peers?.['creates-session']}: { …, <a field that tells creates apart>: "{unique}" } }`;
  }

  /** The exchanges of a step. */
  of(step: string): readonly Exchange[] {
    return this.exchanges.filter((exchange) => exchange.step === step);
  }

  /** The last exchange of a step that was not throttled. */
  last(step: string): Exchange | undefined {
    return this.of(step).findLast((exchange) => statusOf(exchange) !== 429);
  }

  /** The exchanges of walks with an act on the session of a letter, throttled ones aside. */
  called(act: string, letter: string): readonly Exchange[] {
    return this.exchanges.filter((one) => {
      const call = callOf(one);
      return call?.act === act && call.session === letter && statusOf(one) !== 429;
    });
  }

  /** The others that went out at the same time as a call of a walk. */
  besides(exchange: Exchange): readonly Exchange[] {
    const group = placeOf(exchange)?.group;
    if (group === undefined) return [];
    return (this.#ofGroups().get(group) ?? []).filter((one) => walkOf(one) !== walkOf(exchange));
  }

  /** The exchanges up to one that is wrong only in view of them, cleanup included. */
  stepsTo(exchange: Exchange): readonly Exchange[] {
    return this.all.slice(0, this.all.indexOf(exchange) + 1);
  }

  /** Whether an exchange is a call of the operation with a role. */
  is(role: OperationRole, { operation }: Exchange): boolean {
    return operation === this.operation.peers?.[role];
  }

  /** The calls of the operation with a role, those of set-up included. */
  by(role: OperationRole): readonly Exchange[] {
    return this.#ofOperations().get(this.operation.peers?.[role] ?? '') ?? [];
  }

  /** The ids of the sessions that reads and cancels named, in the order of their first use. */
  get ids(): readonly string[] {
    return [...this.#ofSessions().keys()].filter((id) => id !== undefined);
  }

  /** The reads and cancels of a session. */
  callsOn(id: string | undefined): readonly Exchange[] {
    return id === undefined ? [] : (this.#ofSessions().get(id) ?? []);
  }

  /**
   * The id of the session that a create returned, as later calls use it: those of its letter in a walk, else the calls
   * before the next create. The place of the id in the response is known to the target file alone.
   */
  idCreatedBy(created: Exchange): string | undefined {
    const at = this.#places().get(created) ?? -1;
    const isRefused = (one: Exchange | undefined): one is Exchange =>
      one !== undefined && wayAt(one).varied !== undefined && !hasStatus(one, 200);
    // A plain create takes the place of one with another body that was refused.
    const before = this.exchanges[at - 1];
    const named = placeOf(created) === undefined && isRefused(before) ? before : created;
    if (named === created && isRefused(created)) return undefined;
    const [place, next] = [placeOf(named), this.exchanges[at + 1]];
    if (place === undefined)
      return next === undefined || this.is('creates-session', next) ? undefined : sessionIdOf(next);
    // A create whose response holds no id is sent again with another body.
    const isSentAgain = next !== undefined && useKey(placeOf(next)) === useKey(place);
    if (isSentAgain && this.is('creates-session', next)) return undefined;
    return sessionIdOf(this.#uses().get(useKey(place))?.[0]);
  }

  /** The first create that returned a session. */
  creationOf(id: string | undefined): Exchange | undefined {
    return id === undefined ? undefined : this.#creations().get(id);
  }

  /** What the create of a session showed of it. Accepts any status, as a create may wrongly answer 201. */
  createdFields(exchange: Exchange | undefined): Leaves | undefined {
    return bodyFields(this.creationOf(sessionIdOf(exchange)));
  }

  /** JSON pointers at which it showed the id, those in lists last, as the order of lists does not count. */
  idPointers(exchange: Exchange | undefined): readonly string[] {
    const isInList = (pointer: string): boolean => /\/\d+(?:\/|$)/.test(pointer);
    return [...(this.createdFields(exchange) ?? [])]
      .flatMap(([pointer, leaf]) =>
        leaf !== null && String(leaf) === sessionIdOf(exchange) ? [pointer] : [],
      )
      .sort((a, b) => Number(isInList(a)) - Number(isInList(b)));
  }
}

function useKey(place: Place | undefined): string {
  return `${place?.nth} ${place?.call.session}`;
}

/** Makes something when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Whether a cancel names a session in its body that was created to fill a placeholder, and is thus no valid call. */
export function namesOtherSession(
  before: Exchange | undefined,
  exchange: Exchange,
  { peers }: Operation,
): boolean {
  const id = sessionIdOf(exchange);
  const isCancel = exchange.operation === peers?.['ends-session'];
  // Creates of the probe belong to a step, creates of the client do not.
  const isFilled = before?.operation === peers?.['creates-session'] && before?.step === undefined;
  const created = isCancel && isFilled ? bodyFields(before) : undefined;
  if (created === undefined || id === undefined) return false;
  // JSON.parse rounds numbers beyond 2^53, so a create does not show the exact id of its session.
  const isRounded = [...created.values()].some(
    (leaf) => Number.isInteger(leaf) && !Number.isSafeInteger(leaf),
  );
  return !isRounded && !mentions(created, id);
}

/** The id of the session that a read or cancel names, however its path spells it. */
export function sessionIdOf(exchange: Exchange | undefined): string | undefined {
  const spelled = exchange?.row?.['session'];
  return typeof spelled === 'string' ? spelled : exchange?.request.values['sessionId']?.value;
}

/** Whether two creates have equal bodies, however these are written. */
export function askForTheSame(one: Exchange, other: Exchange): boolean {
  const [body, otherBody] = [one.request.body, other.request.body];
  return body?.text === otherBody?.text || isDeepStrictEqual(parseBody(body) ?? body, parseBody(otherBody));
}

/** Whether a read or cancel names a session that a create of another case returned, too: that case may have ended it. */
export function isShared({ row }: Exchange): boolean {
  return row?.['shared'] !== undefined;
}

/** Whether a call has a key or a body that a target must refuse. */
export function isWrongCall(exchange: Exchange): boolean {
  return exchange.request.credential.kind !== 'scoped' || wayAt(exchange).wrongBody !== undefined;
}

/**
 * Whether a call was refused whatever the state of its session: as it must be, or as a cancel with another body or by
 * another spelling of the id may be.
 */
export function isRefusedCall(exchange: Exchange): boolean {
  if (isWrongCall(exchange)) return true;
  const { varied, spelling } = wayAt(exchange);
  const refusals = varied !== undefined ? [400, 409, 415] : spelling !== undefined ? [400, 404, 409] : [];
  return callOf(exchange)?.act === 'cancel' && hasStatus(exchange, ...refusals);
}

/** The fields of the session in a 200 response; undefined for other statuses and for bodies that are not JSON. */
export function fieldsOf(exchange: Exchange | undefined): Leaves | undefined {
  return hasStatus(exchange, 200) ? bodyFields(exchange) : undefined;
}

const known = new WeakMap<Exchange, Leaves>();

/** The fields of a JSON body, whatever the status. */
export function bodyFields(exchange: Exchange | undefined): Leaves | undefined {
  const body = parseBody(exchange?.response?.body);
  return exchange && body !== undefined ? keptAt(known, exchange, () => leavesOf(body)) : undefined;
}
