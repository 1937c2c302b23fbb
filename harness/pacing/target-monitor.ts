import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outside } from '../evidence/outside.ts';
import { keptAt } from '../kept-at.ts';
import type { Exchange } from '../model/exchange.ts';
import { Overload, type PacedResponse } from './overload.ts';
import type { PaceSignal } from './rate-limiter.ts';

/** Consecutive time-outs of one operation after which no further call of it waits. */
const timeoutsOfOperation = 3;
/** Milliseconds to wait for a call that is not expected to be answered, beside the time of the slowest answer. */
const shortPatience = 1_000;
/** Consecutive requests without an answer, of any operation, after which the target is probed. */
const failuresBeforeProbe = 10;
/** Requests that the report names at most when the target died: one of them may have killed it. */
const suspects = 8;
/** The same of those that it answered last, as it may die of what it does after an answer. */
const lastSuspects = 6;
/** Share of a time-out without any answer from which on the target counts as silent. */
const silentShare = 0.8;
const mostTimeouts = 32;
/** Why a run ends that waits too long. */
export const targetTooSlow =
  'the target left too many requests without an answer in time: if the answers before came fast, look for what calls hold and do not give back, such as the connections of a pool; if not, raise --timeout';
/** Milliseconds that one run spends waiting for time-outs while nothing else is answered. */
const longestStandstill = 32_000;
/** Bytes of bodies that one run reads, and of those that are too large or never whole. */
const mostBytes = 2 * 1024 ** 3;
const mostVainBytes = 512 * 1024 ** 2;
/** Milliseconds between probes of an unreachable target, and after which it counts as dead: one that restarts is soon back. */
const probePauses: readonly number[] = [500, 1_000, 2_000, 3_000];
const longestProbing = 8_000;

/** In milliseconds since some fixed point. */
const realClock = { now: (): number => performance.now(), sleep: (ms: number): Promise<void> => sleep(ms) };

interface OperationState {
  isAnswering: boolean;
  /** In a row. */
  timeouts: number;
  /** Of varied calls, since one of them was answered. */
  variedTimeouts: number;
  /** Whether the last plain call was served. */
  isPlainServed: boolean;
  /** Resolves when its first call is over. */
  firstCall?: Promise<void> | undefined;
}

/** What the answers so far say about the target: whether it, or one of its operations, is overloaded, silent or dead. */
export class TargetMonitor {
  readonly overload: Overload = new Overload();
  readonly #probe: () => Promise<string | undefined>;
  readonly #clock: typeof realClock;
  readonly #operations = new Map<string, OperationState>();
  readonly #variations = new Map<string, { isAnswered: boolean; timeouts: number }>();
  #slowestMs = 0;
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
  #outside: Outside | undefined;

  /** `probe` returns the reason why the target cannot be reached, or undefined where it answers. */
  constructor(probe: () => Promise<string | undefined>, clock: typeof realClock = realClock) {
    this.#probe = probe;
    this.#clock = clock;
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
  stop(reason: string, outside?: Outside): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#outside = outside;
  }

  /** What of the run stopped it, where attempts may give up for that; undefined for other reasons. */
  get outside(): Outside | undefined {
    return this.#unreachable === undefined ? this.#outside : undefined;
  }

  /** Whether an operation has left a request without an answer in time, and never answered one. */
  get hasSilentOperation(): boolean {
    return [...this.#operations.values()].some(({ isAnswering, timeouts }) => !isAnswering && timeouts > 0);
  }

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

  /** Whether an operation has timed out so often in a row that another call of it, even a plain one, is pointless. */
  isGivenUp(operation: string): boolean {
    const { timeouts, isAnswering, isPlainServed } = this.#of(operation);
    if (isPlainServed) return false;
    // While other operations answer, one that never did is unlikely to.
    const isSilent = this.#answeredAt > 0 && !isAnswering;
    return timeouts >= (isSilent ? 1 : timeoutsOfOperation);
  }

  /** Milliseconds to wait for a call that is not expected to be answered; undefined for any other. */
  patienceFor(call: Varied): number | undefined {
    return this.#isHopeless(call) ? shortPatience + this.#slowestMs : undefined;
  }

  /** Whether calls like this one were left unanswered, at any operation or at this one, while plain ones are served. */
  #isHopeless(call: Varied): boolean {
    const { variedTimeouts, isPlainServed } = this.#of(call.operation);
    if (isPlainServed && variedTimeouts >= timeoutsOfOperation && isVaried(call)) return true;
    return variationsOf(call).some((one) => {
      const { isAnswered = true, timeouts = 0 } = this.#variations.get(one) ?? {};
      return !isAnswered && timeouts >= timeoutsOfOperation;
    });
  }

  #noteVariations(exchange: Exchange, isAnswered: boolean): void {
    for (const name of variationsOf(exchange)) {
      const state = keptAt(this.#variations, name, () => ({ isAnswered: false, timeouts: 0 }));
      if (isAnswered) state.isAnswered = true;
      else state.timeouts += 1;
    }
  }

  /**
   * Notes the outcome of a request before the next one starts, and says what it means for the pace. Probes a target that has
   * not answered for long.
   */
  note(exchange: Exchange, response: PacedResponse): PaceSignal {
    const { role, failure } = exchange;
    const signal = this.overload.note(exchange, response);
    if (role === 'preflight') return signal;
    const isFailure = failure !== undefined && failure.kind !== 'abandoned';
    this.#noteBytes(exchange.response?.body.bytes ?? 0, isFailure);
    if (!isFailure) this.#noteAnswer(exchange);
    else if (role !== 'provocation') this.#noteFailure(exchange, failure);
    return signal;
  }

  #noteBytes(bytes: number, isVain: boolean): void {
    this.#bytes += bytes;
    if (isVain) this.#vainBytes += bytes;
    if (this.#bytes > mostBytes) this.stop('the target has sent more than 2 GB of bodies');
    if (this.#vainBytes > mostVainBytes)
      this.stop('the target has sent more than 512 MB of bodies that are too large or never whole');
  }

  #noteAnswer(exchange: Exchange): void {
    const { operation, label, durationMs } = exchange;
    this.#noteAlive();
    this.#noteVariations(exchange, true);
    this.#slowestMs = Math.max(this.#slowestMs, durationMs);
    this.#lastAnswered.push(`${operation} (${label})`);
    if (this.#lastAnswered.length > lastSuspects) this.#lastAnswered.shift();
    const state = this.#of(operation);
    state.isAnswering = true;
    state.timeouts = 0;
    if (isVaried(exchange)) state.variedTimeouts = 0;
    else if (exchange.response?.status === 200) state.isPlainServed = true;
  }

  #noteFailure(exchange: Exchange, { kind }: NonNullable<Exchange['failure']>): void {
    const { operation, label, durationMs } = exchange;
    const { method, path } = exchange.request;
    const isTimeout = kind === 'timeout';
    const state = this.#of(operation);
    if (isTimeout) {
      this.#noteVariations(exchange, false);
      if (isVaried(exchange)) state.variedTimeouts += 1;
      else state.isPlainServed = false;
      // It says nothing about other calls.
      if (this.#isHopeless(exchange)) return;
    }
    state.timeouts = isTimeout ? state.timeouts + 1 : 0;
    this.#unanswered += 1;
    if (isTimeout) this.#noteTimeout();
    const named = this.#firstUnanswered;
    if (named.length === 0) named.push(`${operation} (${label}), ${method} ${path}`);
    // What is refused was sent to a target that was dead already.
    else if (kind !== 'refused' && named.length < suspects) named.push(`${operation} (${label})`);
    // A target that answered nothing during a whole time-out has stopped answering, or is about to.
    const isSilent = isTimeout && this.#clock.now() - this.#answeredAt >= silentShare * durationMs;
    if (this.#unanswered >= failuresBeforeProbe || isSilent) this.#probing ??= this.#probeUntilAnswered();
  }

  #noteTimeout(): void {
    const now = this.#clock.now();
    this.#timeouts += 1;
    if (this.#answeredAt > 0) this.#standstill += now - Math.max(this.#answeredAt, this.#standstillUntil);
    this.#standstillUntil = now;
    if (this.#timeouts >= mostTimeouts || this.#standstill > longestStandstill) this.stop(targetTooSlow);
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
      const last = this.#lastAnswered.join(', ');
      const parts = [
        first && `the first request without an answer was ${first}`,
        reason,
        others.length > 0 && `nor did these get one: ${others.join(', ')}`,
        last && `one of the last requests that it answered may have brought it down: ${last}`,
      ];
      this.#unreachable = parts.filter((part) => typeof part === 'string' && part !== '').join('; ');
      this.#unanswered = 0;
    }
    this.#probing = undefined;
  }

  #of(operation: string): OperationState {
    return keptAt(this.#operations, operation, () => ({
      isAnswering: false,
      timeouts: 0,
      variedTimeouts: 0,
      isPlainServed: false,
    }));
  }
}

type Varied = Pick<Exchange, 'operation' | 'row' | 'neutral'>;

/** What a call varies, by name. */
function variationsOf({ row = {}, neutral = [] }: Varied): readonly string[] {
  const values = Object.entries(row).flatMap(([factor, of]) => [of].flat().map((one) => `${factor} ${one}`));
  return [...values, ...neutral];
}

function isVaried(call: Varied): boolean {
  return variationsOf(call).length > 0;
}

/** Why a case was not tested in an interrupted run. */
export const interruptedReason = 'the run was interrupted before this was evaluated';

/**
 * Milliseconds that outstanding responses still have: one may open a session, which must be cancelled. With what follows, less
 * than the time after which the run is terminated, and its evidence lost.
 */
const graceMs = 800;

/** The end of a run that its user asks for. */
export class Interruption {
  /** Not a promise that all wait for: it would keep each result until the run ends. */
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #requested = new AbortController();
  #error: Error | undefined;

  constructor() {
    // As many cases sleep as there are.
    setMaxListeners(0, this.#requested.signal);
  }

  get isRequested(): boolean {
    return this.#requested.signal.aborted;
  }

  /** Ends all sleep with `error`, and all waiting once the grace is over. */
  request(error: Error): void {
    if (this.isRequested) return;
    this.#requested.abort(error);
    setTimeout(() => {
      this.#error = error;
      for (const abandon of this.#waiting) abandon(error);
    }, graceMs);
  }

  async sleep(ms: number): Promise<void> {
    const { signal } = this.#requested;
    try {
      await sleep(ms, undefined, { signal });
    } catch {
      throw signal.reason;
    }
  }

  /** The result of an act, unless the run is interrupted before. */
  unlessInterrupted<T>(act: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      act.then(resolve, reject).finally(() => this.#waiting.delete(reject));
      if (this.#error !== undefined) reject(this.#error);
    });
  }
}
