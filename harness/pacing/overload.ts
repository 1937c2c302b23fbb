import { isSafe, type Operation, type OperationRole } from '../../spec/operation.ts';
import { headerOf, statesUsedUpLimit } from '../evidence/answer.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PaceSignal } from './rate-limiter.ts';

/** What a response, or its absence, means for the call. */
type Meaning =
  /** The connection broke before anything came back, as one does that the server has closed while it was idle. */
  | 'connection lost'
  | 'unanswered'
  /** 429, or an error that says that a limit is used up. */
  | 'throttled'
  /** A status with which gateways, and limiters that do not know 429, answer in the place of the service. */
  | 'overloaded'
  /** HTML under 403: a limiter's or a firewall's, or the service's own to a key without the scope. */
  | 'page under 403'
  /** What a service answers that is not done with an earlier write, too. */
  | 'too early'
  | 'own';

/** Undocumented statuses that services use for overload. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Roles of operations that may conflict with what was done just before: an equal create, or a session that is initialized. */
const conflicting: ReadonlySet<OperationRole | undefined> = new Set<OperationRole>([
  'creates-session',
  'initiates-login',
  'ends-session',
]);

/** Says what the response in an exchange means; every stage of a call goes by it. */
export function classify(exchange: Exchange, role: OperationRole | undefined): Meaning {
  const { response, failure } = exchange;
  if (failure !== undefined)
    return failure.kind === 'reset' && response === undefined ? 'connection lost' : 'unanswered';
  const { status = 0 } = response ?? {};
  if (status === 429 || (status >= 500 && statesUsedUpLimit(exchange))) return 'throttled';
  if (otherOverload.includes(status)) return 'overloaded';
  if (status === 403 && /^text\/html/i.test(headerOf(exchange, 'content-type') ?? ''))
    return 'page under 403';
  if (status === 404 || (status === 409 && conflicting.has(role))) return 'too early';
  return 'own';
}

/** Tries of one call that is throttled every time. */
export const throttledTries = 12;
/** Tries of one call that an undocumented sign of overload answers, such as 503, before that counts as the answer. */
const overloadedTries = 3;
/** Undocumented signs of overload that count as such while no pause ends them; beyond these they are ordinary answers. */
const mostOverloads = 60;
/** Calls of one operation that no repetition helped, after which its signs of overload are its ordinary answers. */
const vainCallsOfOperation = 4;
/** Calls that a fresh connection has helped at once for each that it has not, while connections are to blame. */
const helpedForEachOther = 20;
/** Operations whose valid calls met a page under 403 that are remembered. */
const mostBlocked = 2;
/** Pages under 403 from which on a firewall blocks unusual requests for what is in them, whatever the pace. */
const vainPagesOfFirewall = 3;

/** Statuses of gateways whose connection to the service was closed while it was idle. */
const ofLostConnection: readonly number[] = [502, 503];
/** Stands for a page under 403 that a limiter in front may have sent. */
const limitedByPage = 420;

/** A response, as far as it may be a limiter's. */
export interface PacedResponse {
  readonly meaning: Meaning;
  readonly status: number | undefined;
  /** The key may lack the scope that the operation needs, so that a 403 is the service's own. */
  readonly mayLackScope: boolean;
  /** The request is one that a conforming service may refuse for what is in it. */
  readonly isUnusual: boolean;
  /** The connection may have carried other requests before. */
  readonly isKept: boolean;
}

/** Whether the target, or one of its operations, is overloaded or refuses requests in vain, as far as the responses tell. */
export class Overload {
  readonly #signs = new OverloadSigns();
  readonly #refusals = new Map<string, number>();
  /** Undocumented signs of overload that no repeated call has shown to pass. */
  #overloads = 0;
  /** Whether repeating a call after a pause has already turned such a status into another answer. */
  #hasPassed = false;
  /** Calls that met a sign of overload on a kept connection, and were then served at once on a fresh one, or after a pause. */
  readonly #helped = { byConnection: 0, byPause: 0 };
  /** Calls of each operation that were still answered with a sign of overload after all their repetitions. */
  readonly #vainCalls = new Map<string, number>();
  readonly #blocked = new Set<string>();
  /** Pages under 403 to unusual requests that no repetition helped. */
  #vainPages = 0;

  /** The first operations of which a valid call was answered with a page under 403. */
  get firstBlocked(): readonly string[] {
    return [...this.#blocked].slice(0, mostBlocked);
  }

  get refusals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refusals);
  }

  signs(): OverloadSigns {
    return this.#signs.copy();
  }

  /** Notes a response, and says what it means for the pace. */
  note({ operation, role, failure, request }: Exchange, response: PacedResponse): PaceSignal {
    const signal = this.#signalOf(operation, response);
    const isRefusal = signal !== 'served' && signal !== 'unanswered';
    if (isRefusal && role !== 'provocation') {
      const status = String(response.status);
      this.#refusals.set(status, (this.#refusals.get(status) ?? 0) + 1);
    }
    if (role === 'preflight' || failure !== undefined) return signal;
    const isValid = role === 'control' || (role === 'probe' && !response.isUnusual && hasGoodKey(request));
    if (isValid && isPageInFront(response)) this.#blocked.add(operation);
    const isSign = this.#isSign(response);
    if (isSign) this.#overloads += 1;
    this.#signs.note(operation, isSign ? limitedByPage : response.status);
    return signal;
  }

  #signalOf(operation: string, response: PacedResponse): PaceSignal {
    const { meaning, isUnusual } = response;
    if (meaning === 'connection lost' || meaning === 'unanswered') return 'unanswered';
    if (meaning === 'throttled') return 'throttled';
    const isSign = this.#isSign(response);
    if (isPageInFront(response) && (!isSign || (isUnusual && !this.#hasPassed))) return 'blocked';
    // An operation that returns such a status whatever the pace does not slow the others.
    if (!isSign || !this.#mayBeOverloaded(operation)) return 'served';
    if (this.mayBeOfConnection(response)) return 'unanswered';
    return this.#hasPassed || this.#signs.isWidespread(operation, limitedByPage)
      ? 'overloaded'
      : 'unavailable';
  }

  /**
   * Whether a response is an undocumented sign of overload. A limiter or a ban in front may answer 403 with a page; to an
   * unusual request, that page is rather a firewall's, and to a key without the scope the service's own, unless pages
   * under 403 have been seen to pass.
   */
  #isSign({ meaning, mayLackScope, isUnusual }: PacedResponse): boolean {
    if (meaning !== 'page under 403') return meaning === 'overloaded';
    const isFirewall = this.#vainPages >= vainPagesOfFirewall;
    return mayLackScope ? this.#hasPassed && !isFirewall : !isUnusual || !isFirewall;
  }

  /**
   * Whether such signs of an operation may be overload, while the target serves other calls. Pacing a target that uses the
   * wrong status keeps that one fault from hiding all others; repeating the call shows whether the status passes.
   */
  #mayBeOverloaded(operation: string): boolean {
    if ((this.#vainCalls.get(operation) ?? 0) >= vainCallsOfOperation) return false;
    return this.#signs.hasServed && this.#overloads <= mostOverloads;
  }

  /** Whether one more attempt may show that a response was throttling with the wrong status; the preflight waits itself. */
  mayPass(operation: Operation, response: PacedResponse, tries: number, isPreflight: boolean): boolean {
    if (tries >= (this.#hasPassed ? throttledTries : overloadedTries) || !this.#isSign(response))
      return false;
    if (isPreflight) return true;
    // A call that acts may be answered so for the state that it met, which a repeated call would hide.
    const isLikely =
      isPageInFront(response) || isSafe(operation) || this.#signs.isWidespread(operation.id, limitedByPage);
    return isLikely && this.#mayBeOverloaded(operation.id);
  }

  /**
   * Whether a sign of overload may come from the connection alone: a gateway answers 502 where its own connection to the
   * service was closed. It says nothing about the pace, as long as a fresh connection helps without a pause.
   */
  mayBeOfConnection({ status = 0, isKept }: PacedResponse): boolean {
    const { byConnection, byPause } = this.#helped;
    return byPause * helpedForEachOther <= byConnection && isKept && ofLostConnection.includes(status);
  }

  /** Notes how a call ended, and after how many signs of overload; `hasChanged` tells that it changed to a fresh connection. */
  ended(operation: string, response: PacedResponse, signs: number, hasChanged: boolean): void {
    const { isUnusual, meaning } = response;
    if (this.#isSign(response)) {
      if (isUnusual && isPageInFront(response)) this.#vainPages += 1;
      this.#vainCalls.set(operation, (this.#vainCalls.get(operation) ?? 0) + 1);
      return;
    }
    if (hasChanged) this.#helped[signs === 1 ? 'byConnection' : 'byPause'] += 1;
    if (signs === 0 || meaning === 'page under 403') return;
    // The signs were throttling, and no fault of the call.
    if (isUnusual) this.#vainPages = 0;
    this.#vainCalls.delete(operation);
    this.#overloads = Math.max(0, this.#overloads - signs);
    this.#hasPassed = true;
  }
}

function hasGoodKey({ credential }: Exchange['request']): boolean {
  return credential.kind === 'scoped' || credential.kind === 'unscoped';
}

function isPageInFront({ meaning, mayLackScope }: PacedResponse): boolean {
  return meaning === 'page under 403' && !mayLackScope;
}

/** Which operations served, and which signalled overload; depends only on the order of the responses. */
export class OverloadSigns {
  readonly #served: Set<string>;
  readonly #overloaded: Set<string>;

  constructor(served: Iterable<string> = [], overloaded: Iterable<string> = []) {
    this.#served = new Set(served);
    this.#overloaded = new Set(overloaded);
  }

  note(operation: string, status: number | undefined): void {
    (otherOverload.includes(status ?? 0) ? this.#overloaded : this.#served).add(operation);
  }

  /** Whether several operations that serve otherwise return this status: a fault of the whole target, not of one input. */
  isWidespread(operation: string, status: number | undefined): boolean {
    return otherOverload.includes(status ?? 0) && this.#served.has(operation) && this.#overloaded.size > 1;
  }

  get hasServed(): boolean {
    return this.#served.size > 0;
  }

  copy(): OverloadSigns {
    return new OverloadSigns(this.#served, this.#overloaded);
  }
}
