/** How much may be sent at once, how fast, and in all. */
export interface RateLimiterOptions {
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Requests per second; undefined for no limit of our own. */
  readonly rate: number | undefined;
  /** Requests in all; the last `reserve` of them only clean up. */
  readonly maxRequests: number;
  /** Milliseconds without any answer but 429 after which throttling is taken not to end; none for no end. */
  readonly patienceMs?: number;
  /** Seeded numbers in [0, 1). */
  readonly random: () => number;
  /** Milliseconds since some fixed point. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Answers other than 429 from which on a target is worth the whole patience: with fewer a minute, no run would end. */
const servedByALimit = 100;
/** Milliseconds of patience with a target that served fewer. */
const shortPatience = 45_000;

/** What an answer, or the lack of one, says about the pace. `overloaded` is a sign other than 429. */
export type PaceSignal = 'served' | 'throttled' | 'overloaded' | 'unanswered';

/** The request budget is spent. */
export class BudgetExhausted extends Error {
  constructor(budget: number) {
    super(`the budget of ${budget} requests is spent`);
  }
}

/** The target has throttled for longer than the run waits. */
export class ThrottledTooLong extends Error {
  constructor(ms: number) {
    super(`the target has throttled for ${Math.round(ms / 1000)} s`);
  }
}

/** Requests kept back so that what the harness made can be undone. */
const cleanupReserve = 40;
/** Requests per second below which no throttled target is pushed. */
const slowestRate = 0.5;
/** Milliseconds; the pause after the first throttled answer is drawn between 0 and this, then doubled. */
const firstPause = 250;
const longestPause = 8_000;
/** What is left of the pace after a throttled answer. */
const backOffTo = 0.85;
/** Milliseconds between two growths of the pace. */
const growEveryMs = 250;
/** Share of its distance from the pace that was too much by which the pace grows: fast far below it, slow near it, fast again beyond it. */
const approach = 0.1;
/** Share of the pace by which it grows at least. */
const probe = 0.01;

/**
 * The one place where requests wait for their turn: concurrency, rate, budget, and the retreat from a target that
 * throttles. Retry-After is never read: the contract does not declare it.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #waiting: Array<() => void> = [];
  #active = 0;
  #sent = 0;
  /** The pace that the target was found to bear; undefined until it throttles. */
  #borne: number | undefined;
  /** The pace that was too much when it last throttled. */
  #ceiling = 0;
  #nextStart = 0;
  #pauseUntil = 0;
  #throttledInARow = 0;
  #served = 0;
  /** Retreats since the last answer of another kind. */
  #backoffs = 0;
  #throttledSince = 0;
  #throttledAt = 0;
  #backedOffAt = Number.NEGATIVE_INFINITY;
  #grewAt = 0;
  /** Starts of the last second, for measuring the pace at which throttling set in. */
  #recentStarts: number[] = [];

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  }

  /** Requests sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Throttled answers since the last answer of another kind. */
  get throttledInARow(): number {
    return this.#throttledInARow;
  }

  #refuseToWaitOn(): void {
    const patience = this.#patience;
    if (this.#throttledInARow > 0 && this.#throttledAt - this.#throttledSince > patience)
      throw new ThrottledTooLong(patience);
  }

  /** Requests that cases may still send. */
  get remaining(): number {
    return Math.max(0, this.#options.maxRequests - this.#reserve - this.#sent);
  }

  /** Waits for a turn and sends; `signalOf` tells the governor what came of it. Throws `BudgetExhausted` and `ThrottledTooLong`. */
  async run<T>(
    send: () => Promise<T>,
    signalOf: (result: T) => PaceSignal,
    purpose: 'case' | 'cleanup' | 'provocation' = 'case',
  ): Promise<T> {
    const budget = this.#options.maxRequests - (purpose === 'cleanup' ? 0 : this.#reserve);
    if (this.#sent >= budget) throw new BudgetExhausted(this.#options.maxRequests);
    this.#sent += 1;
    // Whoever provokes throttling must not be held back from it.
    if (purpose === 'provocation') return send();
    await this.#place();
    try {
      await this.#turn().catch((error: unknown) => {
        this.#sent -= 1;
        throw error;
      });
      const startedAt = this.#now();
      const result = await send();
      const signal = signalOf(result);
      if (signal === 'throttled') this.#noteThrottling();
      if (signal === 'throttled' || signal === 'overloaded') this.#backOff(startedAt);
      else if (signal === 'served') this.#recover();
      return result;
    } finally {
      this.#active -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until fewer requests than allowed are under way. */
  async #place(): Promise<void> {
    while (this.#active >= this.#options.concurrency) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#active += 1;
  }

  /** Waits until the pace allows another request, but not for a target that throttles for ever. */
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
      await this.#sleep(start - now);
    }
  }

  /** A limit that a run could live with shows in what is served before it. */
  get #patience(): number {
    const { patienceMs } = this.#options;
    if (patienceMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#served < servedByALimit ? Math.min(patienceMs, shortPatience) : patienceMs;
  }

  get #reserve(): number {
    return Math.min(cleanupReserve, Math.floor(this.#options.maxRequests / 2));
  }

  #pace(): number | undefined {
    const { rate } = this.#options;
    if (this.#borne === undefined) return rate;
    return rate === undefined ? this.#borne : Math.min(rate, this.#borne);
  }

  #noteThrottling(): void {
    this.#throttledAt = this.#now();
    if (this.#throttledInARow === 0) this.#throttledSince = this.#throttledAt;
    this.#throttledInARow += 1;
  }

  #backOff(startedAt: number): void {
    const now = this.#now();
    // Requests that were under way when the pace was reduced say nothing about the new pace.
    if (startedAt < this.#backedOffAt) return;
    this.#ceiling = this.#borne ?? Math.max(1, this.#startsSince(now - 1000));
    this.#borne = Math.max(slowestRate, this.#ceiling * backOffTo);
    this.#pause(Math.min(longestPause, firstPause * 2 ** Math.min(this.#backoffs, 10)));
    this.#backoffs += 1;
    this.#backedOffAt = now;
    this.#grewAt = now;
  }

  /** Full jitter; but when patience ends, the target is asked one last time. */
  #pause(ceiling: number): void {
    const now = this.#now();
    const { random } = this.#options;
    const lastLook =
      this.#throttledInARow === 0
        ? Number.POSITIVE_INFINITY
        : Math.max(now, this.#throttledSince + this.#patience + 1);
    this.#pauseUntil = Math.max(this.#pauseUntil, Math.min(now + random() * ceiling, lastLook));
    this.#nextStart = Math.max(this.#nextStart, this.#pauseUntil);
  }

  #recover(): void {
    this.#served += 1;
    this.#throttledInARow = 0;
    this.#backoffs = 0;
    if (this.#borne === undefined) return;
    const now = this.#now();
    if (now - this.#grewAt < growEveryMs) return;
    this.#grewAt = now;
    const distance = Math.abs(this.#ceiling - this.#borne);
    this.#borne += Math.max(distance * approach, this.#borne * probe);
  }

  #startsSince(moment: number): number {
    return this.#recentStarts.filter((start) => start > moment).length;
  }
}
