import { isSafe, type Operation } from '../../spec/operation.ts';
import type { Exchange } from '../model/exchange.ts';
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
/** Consecutive time-outs of one operation after which no further call of it waits. */
const timeoutsOfOperation = 3;
/** Calls that a fresh connection has helped at once for each that it has not, while connections are to blame. */
const helpedForEachOther = 20;
/** Pages under 403 from which on a firewall blocks unusual requests for what is in them, whatever the pace. */
const vainPagesOfFirewall = 3;

/** Statuses of gateways whose connection to the service was closed while it was idle. */
const ofLostConnection: readonly number[] = [502, 503];
/** Stands for a page under 403 that a limiter in front may have sent. */
const limitedByPage = 420;

/** Consecutive requests without an answer, of any operation, after which the target is probed. */
const failuresBeforeProbe = 10;
/** Requests that the report names at most when the target died: one of them may have killed it. */
const suspects = 8;
/** The same of those that it answered last, as it may die of what it does after an answer. */
const lastSuspects = 6;
/** Share of a time-out without any answer from which on the target counts as silent. */
const silentShare = 0.8;
/** Time-outs for which one run waits. */
const mostTimeouts = 32;
/** Milliseconds that one run spends waiting for time-outs while nothing else is answered. */
const longestStandstill = 32_000;
/** Bytes of bodies that one run reads, and of those that are too large or never whole. */
const mostBytes = 2 * 1024 ** 3;
const mostVainBytes = 512 * 1024 ** 2;
/** Milliseconds between probes of an unreachable target, and after which it counts as dead: one that restarts is soon back. */
const probePauses: readonly number[] = [500, 1_000, 2_000, 3_000];
const longestProbing = 8_000;

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

/** The clock of a monitor. */
export interface MonitorClock {
  /** Milliseconds since some fixed point. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const realClock: MonitorClock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** What is known of one operation. */
interface OperationState {
  isAnswering: boolean;
  /** In a row. */
  timeouts: number;
  /** Calls that were still answered with a sign of overload after all their repetitions. */
  vainCalls: number;
  /** Resolves when its first call is over. */
  firstCall?: Promise<void> | undefined;
}

/**
 * What the responses so far say about the target: whether it, or one of its operations, is overloaded, refuses requests in
 * vain, or is dead, so that the run need not wait for it.
 */
export class TargetMonitor {
  readonly #probe: () => Promise<string | undefined>;
  readonly #clock: MonitorClock;
  readonly #operations = new Map<string, OperationState>();
  readonly #signs = new OverloadSigns();
  readonly #refusals = new Map<string, number>();
  /** Undocumented signs of overload that no repeated call has shown to pass. */
  #overloads = 0;
  /** Whether repeating a call after a pause has already turned such a status into another answer. */
  #hasPassed = false;
  /** Calls that met a sign of overload on a kept connection, and were then served at once on a fresh one, or after a pause. */
  readonly #helped = { byConnection: 0, byPause: 0 };
  /** Pages under 403 to unusual requests that no repetition helped. */
  #vainPages = 0;
  #unanswered = 0;
  #timeouts = 0;
  #standstill = 0;
  #standstillUntil = 0;
  #bytes = 0;
  #vainBytes = 0;
  /** 0 for never. */
  #answeredAt = 0;
  /** Since the last answer. */
  #firstUnanswered: string[] = [];
  #lastAnswered: string[] = [];
  #probing: Promise<void> | undefined;
  #unreachable: string | undefined;
  #stopReason: string | undefined;

  /** `probe` returns the reason why the target cannot be reached, or undefined where it answers. */
  constructor(probe: () => Promise<string | undefined>, clock: MonitorClock = realClock) {
    this.#probe = probe;
    this.#clock = clock;
  }

  /** Responses that slowed the run down, by status. */
  get refusals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refusals);
  }

  /** A copy of the signs of overload so far. */
  signs(): OverloadSigns {
    return this.#signs.copy();
  }

  /** Why the target counts as dead; undefined while it answers. */
  get unreachable(): string | undefined {
    return this.#unreachable;
  }

  /** Why the run sends nothing more, because the target is dead or a limit is reached; undefined while the run goes on. */
  get stopReason(): string | undefined {
    return this.#unreachable === undefined
      ? this.#stopReason
      : `the target stopped answering: ${this.#unreachable}`;
  }

  /** Stops the run though the target is not dead; the first reason counts. */
  stop(reason: string): void {
    this.#stopReason ??= reason;
  }

  /** Whether an operation has left a request without an answer in time, and never answered one. */
  get hasSilentOperation(): boolean {
    return [...this.#operations.values()].some(({ isAnswering, timeouts }) => !isAnswering && timeouts > 0);
  }

  /** Resolves when no probe is under way. */
  async probeFinished(): Promise<void> {
    await this.#probing;
  }

  /**
   * Resolves when the first call of an operation is over, so that only one call finds out that the operation never
   * answers. Returns a function to call when the request is over.
   */
  async awaitFirstAnswer(operation: string): Promise<() => void> {
    const state = this.#of(operation);
    while (!state.isAnswering) {
      if (state.firstCall === undefined) {
        let resolveFirst: () => void = () => undefined;
        state.firstCall = new Promise((resolve) => {
          resolveFirst = resolve;
        });
        return () => {
          state.firstCall = undefined;
          resolveFirst();
        };
      }
      await state.firstCall;
    }
    return () => undefined;
  }

  /** Whether an operation has timed out so often in a row that another call of it is pointless. */
  isGivenUp(operation: string): boolean {
    const { timeouts, isAnswering } = this.#of(operation);
    // While other operations answer, one that never did is unlikely to.
    const isSilent = this.#answeredAt > 0 && !isAnswering;
    return timeouts >= (isSilent ? 1 : timeoutsOfOperation);
  }

  /**
   * Notes the outcome of a request before the next one starts, and says what it means for the pace. Probes a target that has
   * not answered for long.
   */
  note(exchange: Exchange, response: PacedResponse): PaceSignal {
    const { operation, role, failure } = exchange;
    const signal = this.#signalOf(operation, response);
    const isRefusal = signal !== 'served' && signal !== 'unanswered';
    if (isRefusal && role !== 'provocation') {
      const status = String(response.status);
      this.#refusals.set(status, (this.#refusals.get(status) ?? 0) + 1);
    }
    if (role === 'preflight') return signal;
    if (failure === undefined) {
      const isSign = this.#isSign(response);
      if (isSign) this.#overloads += 1;
      this.#signs.note(operation, isSign ? limitedByPage : response.status);
    }
    const isFailure = failure !== undefined && failure.kind !== 'abandoned';
    this.#noteBytes(exchange.response?.body.bytes ?? 0, isFailure);
    if (!isFailure) this.#noteAnswer(exchange);
    else if (role !== 'provocation') this.#noteFailure(exchange, failure);
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
    if (this.#of(operation).vainCalls >= vainCallsOfOperation) return false;
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
    const state = this.#of(operation);
    if (this.#isSign(response)) {
      if (isUnusual && isPageInFront(response)) this.#vainPages += 1;
      state.vainCalls += 1;
      return;
    }
    if (hasChanged) this.#helped[signs === 1 ? 'byConnection' : 'byPause'] += 1;
    if (signs === 0 || meaning === 'page under 403') return;
    // The signs were throttling, and no fault of the call.
    if (isUnusual) this.#vainPages = 0;
    state.vainCalls = 0;
    this.#overloads = Math.max(0, this.#overloads - signs);
    this.#hasPassed = true;
  }

  #noteBytes(bytes: number, isVain: boolean): void {
    this.#bytes += bytes;
    if (isVain) this.#vainBytes += bytes;
    if (this.#bytes > mostBytes) this.stop('the target has sent more than 2 GB of bodies');
    if (this.#vainBytes > mostVainBytes)
      this.stop('the target has sent more than 512 MB of bodies that are too large or never whole');
  }

  #noteAnswer({ operation, label }: Exchange): void {
    this.#noteAlive();
    this.#lastAnswered.push(`${operation} (${label})`);
    if (this.#lastAnswered.length > lastSuspects) this.#lastAnswered.shift();
    const state = this.#of(operation);
    state.isAnswering = true;
    state.timeouts = 0;
  }

  #noteFailure(
    { operation, label, durationMs, request: { method, path } }: Exchange,
    { kind }: NonNullable<Exchange['failure']>,
  ): void {
    const isTimeout = kind === 'timeout';
    const state = this.#of(operation);
    state.timeouts = isTimeout ? state.timeouts + 1 : 0;
    this.#unanswered += 1;
    if (isTimeout) this.#noteTimeout();
    // What is refused was sent to a target that was dead already.
    const isFirst = this.#firstUnanswered.length === 0;
    if (isFirst) this.#firstUnanswered.push(`${operation} (${label}), ${method} ${path}`);
    else if (kind !== 'refused' && this.#firstUnanswered.length < suspects)
      this.#firstUnanswered.push(`${operation} (${label})`);
    // A target that answered nothing during a whole time-out has stopped answering, or is about to.
    const isSilent = isTimeout && this.#clock.now() - this.#answeredAt >= silentShare * durationMs;
    if (this.#unanswered >= failuresBeforeProbe || isSilent) this.#probing ??= this.#probeUntilAnswered();
  }

  #noteTimeout(): void {
    const now = this.#clock.now();
    this.#timeouts += 1;
    if (this.#answeredAt > 0) this.#standstill += now - Math.max(this.#answeredAt, this.#standstillUntil);
    this.#standstillUntil = now;
    if (this.#timeouts >= mostTimeouts || this.#standstill > longestStandstill)
      this.stop(`the target left ${this.#timeouts} requests without an answer in time (raise --timeout)`);
  }

  #noteAlive(): void {
    this.#answeredAt = this.#clock.now();
    this.#unanswered = 0;
    this.#firstUnanswered = [];
  }

  async #probeUntilAnswered(): Promise<void> {
    const { now, sleep } = this.#clock;
    const since = now();
    let reason = await this.#probe();
    for (const pause of probePauses) {
      if (reason === undefined || now() - since + pause > longestProbing) break;
      await sleep(pause);
      reason = await this.#probe();
    }
    if (reason === undefined) this.#noteAlive();
    else {
      const [first, ...others] = this.#firstUnanswered;
      const parts = [
        first && `the first request without an answer was ${first}`,
        reason,
        others.length > 0 && `nor did these get one: ${others.join(', ')}`,
        this.#lastAnswered.length > 0 &&
          `the last requests that it answered, of which one may have brought it down: ${this.#lastAnswered.join(', ')}`,
      ];
      this.#unreachable = parts.filter((part) => typeof part === 'string').join('; ');
      this.#unanswered = 0;
    }
    this.#probing = undefined;
  }

  #of(operation: string): OperationState {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const state: OperationState = { isAnswering: false, timeouts: 0, vainCalls: 0 };
    this.#operations.set(operation, state);
    return state;
  }
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
    return new OverloadSigns(this.#served, this.#overloaded);
  }
}
