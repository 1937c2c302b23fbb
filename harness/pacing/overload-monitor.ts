import { isSafe, type Operation } from '../../spec/operation.ts';
import { type Meaning, otherOverload } from './classify.ts';
import type { PaceSignal } from './rate-limiter.ts';

/** Tries of one call that is throttled every time. */
export const throttledTries = 12;
/** Tries of one call that an undocumented sign of overload answers, such as 503, before that counts as the answer. */
const overloadedTries = 3;
/** Undocumented signs of overload that count as such while no pause ends them; beyond these they are ordinary answers. */
const mostOverloads = 60;
/** Calls of one operation that no repetition helped, after which its signs of overload are its ordinary answers. */
const vainCallsOfOperation = 4;
/** Calls of one operation that were throttled at every try, from which on no pause is expected to help. */
const throttledCallsOfOperation = 3;
/** Calls that a fresh connection has helped at once for each that it has not, while connections are to blame. */
const helpedForEachOther = 20;
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

/** Tells overload from the answers of the service, by what became of repeated calls. */
export class OverloadMonitor {
  readonly #signs = new OverloadSigns();
  /** Undocumented signs of overload that no repeated call has shown to pass. */
  #overloads = 0;
  /** Calls of each operation that were still answered with such a status after all their repetitions. */
  readonly #vainCalls = new Map<string, number>();
  /** Calls of each operation that were throttled at every try since it last served. */
  readonly #throttledCalls = new Map<string, number>();
  /** Whether repeating a call after a pause has already turned such a status into another answer. */
  #hasPassed = false;
  readonly #refusals = new Map<string, number>();
  /** Calls that met a sign of overload on a kept connection and were served at once on a fresh one. */
  #helpedByConnection = 0;
  /** Calls that a fresh connection did not help, and a pause did. */
  #helpedByPause = 0;
  /** Pages under 403 to unusual requests that no repetition helped. */
  #vainPages = 0;

  /** Responses that slowed the run down, by status. */
  get refusals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refusals);
  }

  /** A copy of the signs of overload so far. */
  signs(): OverloadSigns {
    return this.#signs.copy();
  }

  /** What a response says about the pace; counts it where it slows the run down. */
  paceSignal(operation: string, response: PacedResponse): PaceSignal {
    const signal = this.#signalOf(operation, response);
    if (signal !== 'served' && signal !== 'unanswered') count(this.#refusals, String(response.status));
    return signal;
  }

  #signalOf(operation: string, response: PacedResponse): PaceSignal {
    const { meaning, isUnusual } = response;
    if (meaning === 'connection lost' || meaning === 'unanswered') return 'unanswered';
    if (meaning === 'throttled') return this.isThrottledForEver(operation) ? 'served' : 'throttled';
    const isSign = this.#isSign(response);
    if (isPageInFront(response) && (!isSign || (isUnusual && !this.#hasPassed))) return 'blocked';
    // An operation that returns such a status whatever the pace does not slow the others.
    if (!isSign || !this.#mayBeOverloaded(operation)) return 'served';
    if (this.mayBeOfConnection(response)) return 'unanswered';
    return this.#hasPassed || this.#signs.isWidespread(operation, limitedByPage)
      ? 'overloaded'
      : 'unavailable';
  }

  /** Notes a complete response. */
  note(operation: string, response: PacedResponse): void {
    const isSign = this.#isSign(response);
    if (isSign) this.#overloads += 1;
    this.#signs.note(operation, isSign ? limitedByPage : response.status);
    if (response.meaning !== 'throttled') this.#throttledCalls.delete(operation);
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
    const helps = this.#helpedByPause * helpedForEachOther <= this.#helpedByConnection;
    return helps && isKept && ofLostConnection.includes(status);
  }

  /** Notes how a call ended, and after how many signs of overload; `hasChanged` tells that it changed to a fresh connection. */
  ended(operation: string, response: PacedResponse, signs: number, hasChanged: boolean): void {
    const { isUnusual, meaning } = response;
    if (this.#isSign(response)) {
      if (isUnusual && isPageInFront(response)) this.#vainPages += 1;
      count(this.#vainCalls, operation);
      return;
    }
    if (hasChanged && signs === 1) this.#helpedByConnection += 1;
    else if (hasChanged) this.#helpedByPause += 1;
    if (signs === 0 || meaning === 'page under 403') return;
    // The signs were throttling, and no fault of the call.
    if (isUnusual) this.#vainPages = 0;
    this.#vainCalls.delete(operation);
    this.#overloads = Math.max(0, this.#overloads - signs);
    this.#hasPassed = true;
  }

  /** Whether the target throttles an operation however long its calls wait, which must not slow the others down. */
  isThrottledForEver(operation: string): boolean {
    return (this.#throttledCalls.get(operation) ?? 0) >= throttledCallsOfOperation;
  }

  /** Notes a call that was throttled at every try; tells whether that is the last sign of its operation's being so for ever. */
  throttledThroughout(operation: string): boolean {
    const wasKnown = this.isThrottledForEver(operation);
    count(this.#throttledCalls, operation);
    return !wasKnown && this.isThrottledForEver(operation);
  }
}

function isPageInFront({ meaning, mayLackScope }: PacedResponse): boolean {
  return meaning === 'page under 403' && !mayLackScope;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Which operations served, and which signalled overload; depends only on the order of the responses. */
export class OverloadSigns {
  readonly #served = new Set<string>();
  readonly #overloaded = new Set<string>();

  /** Notes a complete response. */
  note(operation: string, status: number | undefined): void {
    (otherOverload.includes(status ?? 0) ? this.#overloaded : this.#served).add(operation);
  }

  /** Whether several operations that serve otherwise return this status: a fault of the whole target, not of one input. */
  isWidespread(operation: string, status: number | undefined): boolean {
    return otherOverload.includes(status ?? 0) && this.#served.has(operation) && this.#overloaded.size > 1;
  }

  /** Whether any operation has served. */
  get hasServed(): boolean {
    return this.#served.size > 0;
  }

  /** An independent copy. */
  copy(): OverloadSigns {
    const copy = new OverloadSigns();
    for (const operation of this.#served) copy.#served.add(operation);
    for (const operation of this.#overloaded) copy.#overloaded.add(operation);
    return copy;
  }
}
