import type { Evidence } from '../../harness/checks/check.ts';
import type { Steps } from '../../harness/checks/step.ts';
import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { type Leaf, type Leaves, leavesOf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';

/** The exchanges of one attempt at a session check, without clean-up and without cancels that are no valid calls. */
export class SessionEvidence {
  readonly exchanges: readonly Exchange[];
  readonly #all: readonly Exchange[];
  readonly #peers: NonNullable<Operation['peers']>;
  readonly #steps: Steps | undefined;

  /** Throws on questions about other than the given steps, if any. */
  constructor({ exchanges, operation }: Pick<Evidence, 'exchanges' | 'operation'>, steps?: Steps) {
    this.#all = exchanges;
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
  all(step: string): readonly Exchange[] {
    if (this.#steps !== undefined && !(step in this.#steps)) throw new Error(`no step is named ${step}`);
    return this.exchanges.filter((exchange) => exchange.step === step);
  }

  /** The last exchange of a step that was not throttled. */
  last(step: string): Exchange | undefined {
    return this.all(step).findLast((exchange) => statusOf(exchange) !== 429);
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
    return this.#all.slice(0, this.#all.indexOf(exchange) + 1);
  }

  /** Whether an exchange is a call of the operation with a role. */
  is(role: OperationRole, { operation }: Exchange): boolean {
    return operation === this.#peers[role];
  }

  /** The exchanges that name the same session. */
  ofSession(exchange: Exchange): readonly Exchange[] {
    return this.exchanges.filter((one) => sessionIdOf(one) === sessionIdOf(exchange));
  }

  /** The create of the session that an exchange names: the last create before the first use of that session. */
  creationOf(exchange: Exchange | undefined): Exchange | undefined {
    const id = sessionIdOf(exchange);
    const used = this.exchanges.findIndex((one) => sessionIdOf(one) === id);
    const before = used < 0 ? this.exchanges : this.exchanges.slice(0, used);
    return before.findLast((one) => this.is('creates-session', one));
  }

  /** What the create of a session showed of it. Accepts any status, as a create may wrongly answer 201. */
  createdFields(exchange: Exchange | undefined): Leaves | undefined {
    return bodyFields(this.creationOf(exchange));
  }

  /** The id of another session that a response shows in place of its own; undefined where it shows none. */
  otherIdShownBy(exchange: Exchange | undefined): string | undefined {
    const id = sessionIdOf(exchange);
    const shown = fieldsOf(exchange);
    if (shown === undefined || id === undefined || mentions(shown, id)) return undefined;
    const created = this.createdFields(exchange);
    const pointer = created && idPointers(created, id).find((one) => looksLikeId(shown.get(one), id));
    return pointer === undefined ? undefined : String(shown.get(pointer));
  }

  /** Whether a cancel follows a throttled cancel of the same session, whose effect is unknown. */
  wasThrottled(cancel: Exchange): boolean {
    const of = this.ofSession(cancel);
    return of.slice(0, of.indexOf(cancel)).some((one) => this.is('ends-session', one) && hasStatus(one, 429));
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

/** The fields of the session in a 200 response; undefined for other statuses and for bodies that are not JSON. */
export function fieldsOf(exchange: Exchange | undefined): Leaves | undefined {
  return hasStatus(exchange, 200) ? bodyFields(exchange) : undefined;
}

/** The fields of a JSON body, whatever the status. */
export function bodyFields(exchange: Exchange | undefined): Leaves | undefined {
  const body = parseBody(exchange?.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}

/** Whether a complete response with one of these statuses arrived. */
export function hasStatus(exchange: Exchange | undefined, ...statuses: readonly number[]): boolean {
  const status = exchange && statusOf(exchange);
  return status !== undefined && statuses.includes(status);
}

/** JSON pointers at which the response to a create shows the id of the session. */
export function idPointers(created: Leaves, id: string): readonly string[] {
  return [...created].filter(([, leaf]) => leaf !== null && String(leaf) === id).map(([pointer]) => pointer);
}

/** Whether a value can be an id like the given one: a secret id is masked or omitted after the create. */
export function looksLikeId(leaf: Leaf | undefined, id: string): boolean {
  const value = String(leaf ?? '');
  return value.length === id.length && !/[*•…]|(.)\1{3}/u.test(value);
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/'));
}

/** Whether a response shows what `other` showed of its own request, where `alone` showed that of the same request as this one. */
export function showsOf(one: Exchange, alone: Exchange, other: Exchange): boolean {
  const [sent, otherSent] = [alone, other].map(({ request }) => leavesOf(parseBody(request.body)));
  const [shown, before, otherShown] = [one, alone, other].map(bodyFields);
  return [...(sent ?? [])].some(([pointer, leaf]) => {
    const otherLeaf = otherSent?.get(pointer);
    return (
      otherLeaf !== undefined &&
      otherLeaf !== leaf &&
      [...(before ?? [])].some(
        ([at, value]) =>
          // A counter may agree with a number by chance.
          (typeof leaf === 'string' || nameOf(at) === nameOf(pointer)) &&
          value === leaf &&
          otherShown?.get(at) === otherLeaf &&
          shown?.get(at) === otherLeaf,
      )
    );
  });
}

/** Whether a response shows something of its own request that the other does not. */
export function showsItsOwn(one: Exchange, other: Exchange): boolean {
  const [sent, otherSent] = [one, other].map(({ request }) => leavesOf(parseBody(request.body)));
  const [shown, otherShown] = [one, other].map(bodyFields);
  return [...(sent ?? [])].some(
    ([pointer, leaf]) =>
      leaf !== otherSent?.get(pointer) &&
      shown !== undefined &&
      otherShown !== undefined &&
      [...shown].some(([at, value]) => value === leaf && otherShown.get(at) !== leaf),
  );
}
