import { OperationPace } from './operation-pace.ts';
import { RefusalPattern } from './refusal-pattern.ts';

/** Limits on concurrency and rate. */
export interface RateLimiterOptions {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Requests per second; undefined for no limit. */
  readonly rate: number | undefined;
  /** Milliseconds of nothing but 429 after which the run stops; undefined for never. */
  readonly patienceMs?: number;
  /** Seeded numbers in [0, 1). */
  readonly random: () => number;
  /** Milliseconds since some fixed point. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Responses other than 429 that show a limit a run can work with; with fewer a minute, no run would end. */
const servedWithinLimit = 100;
/** Milliseconds of throttling after which the run stops where the target served fewer. */
const shortThrottling = 45_000;

/**
 * What a response, or its absence, says about the pace. `overloaded` is a sign other than 429; `unavailable` such a sign
 * at one operation alone, which calls for a short pause but says nothing about the pace; `blocked` a firewall's refusal.
 */
export type PaceSignal = 'served' | 'throttled' | 'overloaded' | 'unavailable' | 'blocked' | 'unanswered';

/** The target has throttled for longer than the run waits. */
export class ThrottledTooLong extends Error {
  constructor(ms: number) {
    super(`the target has throttled for ${Math.round(ms / 1000)} s`);
  }
}

/** Milliseconds after a wait in which the run still counts as slowed down. */
const slowedFor = 1_000;
/** The lowest rate that throttling leads to. */
const slowestRate = 0.5;
/** Upper bound of the first random pause in milliseconds; doubles with each further backoff. */
const firstPause = 250;
const longestPause = 8_000;
/** Upper bound of the pause for an operation that is unavailable while others are served. */
const unavailablePause = 1_000;
/** Milliseconds after a refusal by a firewall: many of them in a short time end in a ban. */
const blockedPause = 200;
/** Factor of the pace after a throttled response. */
const backOffTo = 0.85;
/** Milliseconds between two increases of the pace. */
const growEveryMs = 250;
/** Growth of the pace as a share of its distance from the pace that was too fast, like TCP CUBIC. */
const growth = 0.1;
/** Minimum growth as a share of the pace. */
const leastGrowth = 0.01;
/** Starts within a second from which on they measure the pace at which throttling began. */
const startsThatMeasure = 30;
/** Growth as a share of the pace while the pace that is too fast is unknown, like the slow start of TCP. */
const searchGrowth = 0.5;

/**
 * The only place where requests wait: for concurrency, rate, and backoff from a target that throttles. Ignores
 * Retry-After, which the contract does not declare.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #waiting: Array<() => void> = [];
  #active = 0;
  /** The pace that the target accepts; undefined until it throttles. */
  #accepted: number | undefined;
  /** The pace at which the target last throttled. */
  #ceiling = 0;
  /** Whether the target throttled at a pace, and not only at the first requests of the run. */
  #isCeilingKnown = false;
  #nextStart = 0;
  #pauseUntil = 0;
  #throttledInARow = 0;
  #served = 0;
  /** Backoffs since the last other response. */
  #backoffs = 0;
  #throttledSince = 0;
  #throttledAt = 0;
  #backedOffAt = Number.NEGATIVE_INFINITY;
  #grewAt = 0;
  readonly #refusals = new RefusalPattern();
  /** The pace before a faster one was tried. */
  #beforeTrial: number | undefined;
  /** The same, from the failure of the trial until the next response that is no refusal. */
  #afterTrial: number | undefined;
  readonly #operations = new OperationPace();
  /** The operation whose refusals alone reduced the pace since, and the pace before them. */
  #blamed: { readonly operation: string; readonly accepted: number | undefined } | undefined;
  /** How many requests of each operation wait. */
  readonly #waitingFor = new Map<string, number>();
  #slowedUntil = Number.NEGATIVE_INFINITY;
  #slowedMs = 0;
  /** Recent starts, to measure the pace at which throttling began. */
  #recentStarts: number[] = [];

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  }

  /** The operations whose requests wait because the target refused others; undefined while that makes none wait. */
  get waiting(): readonly string[] | undefined {
    return this.#now() < this.#slowedUntil + slowedFor ? [...this.#waitingFor.keys()] : undefined;
  }

  /** Whether pauses have not helped an operation that is refused while others are served. */
  isInVain(operation: string): boolean {
    return this.#operations.isInVain(operation);
  }

  /** Milliseconds in which refusals made requests wait. */
  get slowedMs(): number {
    return this.#slowedMs;
  }

  /** Throttled responses since the last other one. */
  get throttledInARow(): number {
    return this.#throttledInARow;
  }

  /** Forgets the pace that the target accepts, where what looked like throttling said nothing about it. */
  forgetPace(): void {
    this.#accepted = undefined;
    this.#afterTrial = undefined;
    this.#isCeilingKnown = false;
    this.#nextStart = 0;
    this.#pauseUntil = 0;
  }

  #refuseToWaitOn(): void {
    const longest = this.#longestThrottling;
    if (this.#throttledInARow > 0 && this.#throttledAt - this.#throttledSince > longest)
      throw new ThrottledTooLong(longest);
  }

  /** Waits for a turn and sends; `signalOf` says what the response tells of the pace. Throws `ThrottledTooLong`. */
  async run<T>(send: () => Promise<T>, signalOf: (result: T) => PaceSignal, operation = ''): Promise<T> {
    this.#waits(operation, 1);
    for (let ms = this.#restMs(operation); ms > 0; ms = this.#restMs(operation)) await this.#sleep(ms);
    await this.#place();
    try {
      await this.#turn().finally(() => this.#waits(operation, -1));
      const startedAt = this.#now();
      const result = await send();
      const signal = signalOf(result);
      if (signal === 'throttled' || signal === 'overloaded')
        this.#noteRefusal(operation, startedAt, signal === 'throttled');
      else if (signal === 'unavailable') this.#rest(operation, unavailablePause);
      else if (signal === 'blocked')
        this.#pauseUntil = Math.max(this.#pauseUntil, this.#now() + blockedPause);
      else if (signal === 'served') this.#recover(operation);
      return result;
    } finally {
      this.#active -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Waits for a free place among the concurrent requests. */
  async #place(): Promise<void> {
    while (this.#active >= this.#options.concurrency) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#active += 1;
  }

  /** Waits until the pace allows another request, unless the target throttles for too long. */
  async #turn(): Promise<void> {
    for (;;) {
      this.#refuseToWaitOn();
      const now = this.#now();
      const pace = this.#pace();
      const start = Math.max(this.#pauseUntil, pace === undefined ? 0 : this.#nextStart);
      if (start <= now) {
        if (pace !== undefined) this.#nextStart = Math.max(this.#nextStart, now - 50) + 1000 / pace;
        this.#recentStarts.push(now);
        if (this.#recentStarts.length > 4096) this.#recentStarts = this.#recentStarts.slice(-2048);
        return;
      }
      const { rate = Number.POSITIVE_INFINITY } = this.#options;
      if ((this.#accepted ?? rate) < rate || this.#pauseUntil > now) {
        this.#slowedMs += Math.max(0, start - Math.max(now, this.#slowedUntil));
        this.#slowedUntil = Math.max(this.#slowedUntil, start);
      }
      await this.#sleep(start - now);
    }
  }

  #waits(operation: string, change: 1 | -1): void {
    const count = (this.#waitingFor.get(operation) ?? 0) + change;
    if (count > 0) this.#waitingFor.set(operation, count);
    else this.#waitingFor.delete(operation);
  }

  /** Longer for a target that served enough to show a workable limit. */
  get #longestThrottling(): number {
    const { patienceMs } = this.#options;
    if (patienceMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#served < servedWithinLimit ? Math.min(patienceMs, shortThrottling) : patienceMs;
  }

  #pace(): number | undefined {
    const { rate } = this.#options;
    if (this.#accepted === undefined) return rate;
    return rate === undefined ? this.#accepted : Math.min(rate, this.#accepted);
  }

  #noteThrottling(): void {
    this.#throttledAt = this.#now();
    if (this.#throttledInARow === 0) this.#throttledSince = this.#throttledAt;
    this.#throttledInARow += 1;
  }

  /** Where a refusal does not depend on the pace, the next call of its operation alone waits. */
  #noteRefusal(operation: string, startedAt: number, isThrottled: boolean): void {
    if (this.#operations.refused(operation, startedAt, this.#now())) {
      if (this.#blamed?.operation === operation) this.#forgive(this.#blamed.accepted);
      return;
    }
    if (isThrottled) this.#noteThrottling();
    const wasSporadic = this.#refusals.isSporadic;
    const { inARow, isExcess } = this.#refusals.refused(operation);
    if (!isExcess) {
      this.#rest(operation, firstPause * 2 ** (inARow - 1));
      return;
    }
    if (wasSporadic && !this.#refusals.isSporadic) this.#accepted = this.#afterTrial = this.#beforeTrial;
    if (this.#blamed?.operation !== operation) this.#blamed = { operation, accepted: this.#accepted };
    this.#backOff(startedAt);
  }

  /** Sends as before the refusals of one operation that turned out to say nothing of the others. */
  #forgive(accepted: number | undefined): void {
    this.#accepted = accepted;
    this.#pauseUntil = 0;
    this.#nextStart = 0;
    this.#backoffs = 0;
    this.#throttledInARow = 0;
    this.#blamed = undefined;
  }

  #restMs(operation: string): number {
    return this.#operations.turn(operation, this.#now());
  }

  #rest(operation: string, longestMs: number): void {
    this.#operations.rest(operation, this.#now() + this.#options.random() * longestMs);
  }

  #backOff(startedAt: number): void {
    const now = this.#now();
    // Requests sent before the pace was reduced say nothing about the new pace.
    if (startedAt < this.#backedOffAt) return;
    const faster = this.#refusals.backsOff(now, this.#backoffs === 0);
    if (faster !== undefined) {
      this.#beforeTrial = this.#accepted;
      this.#accepted = faster;
      this.#grewAt = now;
      this.#nextStart = now;
      return;
    }
    const starts = this.#startsSince(now - 1000);
    // A pace at which nothing was served since the last backoff tells nothing about the limit.
    const wasPaced = this.#accepted !== undefined && this.#backoffs === 0;
    this.#isCeilingKnown ||= wasPaced || starts >= startsThatMeasure;
    this.#ceiling = this.#accepted ?? Math.max(1, starts);
    this.#accepted = Math.max(slowestRate, this.#ceiling * backOffTo);
    this.#pause(Math.min(longestPause, firstPause * 2 ** Math.min(this.#backoffs, 10)));
    this.#backoffs += 1;
    this.#backedOffAt = now;
    this.#grewAt = now;
  }

  /** Full jitter, with one last request before the run stops. */
  #pause(ceiling: number): void {
    const now = this.#now();
    const { random } = this.#options;
    const lastRequest =
      this.#throttledInARow === 0
        ? Number.POSITIVE_INFINITY
        : Math.max(now, this.#throttledSince + this.#longestThrottling + 1);
    this.#pauseUntil = Math.max(this.#pauseUntil, Math.min(now + random() * ceiling, lastRequest));
    this.#nextStart = Math.max(this.#nextStart, this.#pauseUntil);
  }

  #recover(operation: string): void {
    this.#refusals.served(operation);
    this.#operations.served(operation);
    this.#served += 1;
    this.#throttledInARow = 0;
    this.#backoffs = 0;
    if (this.#accepted === undefined) return;
    if (this.#afterTrial !== undefined) {
      // What was refused until the trial was forgotten says nothing about the pace before it.
      this.#ceiling = this.#afterTrial;
      this.#accepted = this.#ceiling * backOffTo;
      this.#afterTrial = undefined;
    }
    const now = this.#now();
    if (now - this.#grewAt < growEveryMs) return;
    this.#grewAt = now;
    const distance = Math.abs(this.#ceiling - this.#accepted);
    const isSearching = !this.#isCeilingKnown || (this.#refusals.isSporadic && !this.#refusals.isLimited);
    const share = isSearching ? searchGrowth : leastGrowth;
    this.#accepted += Math.max(distance * growth, this.#accepted * share);
  }

  #startsSince(moment: number): number {
    return this.#recentStarts.filter((start) => start > moment).length;
  }
}
