import { type Outside, reasonOf } from '../evidence/outside.ts';
import { keptAt } from '../kept-at.ts';
import { Semaphore } from '../semaphore.ts';
import { Pace, pauseAfter } from './pace.ts';

/** Limits on concurrency and rate. */
export interface RateLimiterOptions {
  readonly concurrency: number;
  readonly rate: number | undefined;
  /** Milliseconds of nothing but 429 after which the run stops; undefined for never. */
  readonly patienceMs?: number;
  /** Seeded numbers in [0, 1). */
  readonly random: () => number;
  /** Milliseconds since some fixed point. */
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * What a response, or its absence, says about the pace. `overloaded` is a sign other than 429; `unavailable` such a sign
 * at one operation alone, which calls for a short pause but says nothing about the pace; `blocked` a firewall's refusal.
 */
export type PaceSignal = 'served' | 'throttled' | 'overloaded' | 'unavailable' | 'blocked' | 'unanswered';

/** The target has throttled for longer than the run waits. */
export class ThrottledTooLong extends Error {
  readonly outside: Outside;

  constructor(ms: number) {
    const outside: Outside = { kind: 'throttling', seconds: Math.round(ms / 1000) };
    super(reasonOf(outside));
    this.outside = outside;
  }
}

/** Responses other than 429 that show a limit a run can work with; with fewer a minute, no run would end. */
const servedWithinLimit = 100;
/** Milliseconds of throttling after which the run stops where the target served fewer. */
const shortThrottling = 45_000;
/** The most requests that start at once under the rate that was asked for: a race shows only between calls that overlap. */
const mostTogether = 4;
/** Milliseconds in which requests of one company come to wait. */
const gatheringMs = 20;
/** Milliseconds after a wait in which the run still counts as slowed down. */
const slowedFor = 1_000;
/** Upper bounds of the random pauses of all operations, and of one that is refused while others are served. */
const longestPause = 8_000;
const longestOwnPause = 1_000;
/** Pauses in a row after which the pace before them may be tried once more: what was out is back. */
const pausesOfOutage = 2;
/** Requests served for each refused one that make it worth meeting an outage again at the pace before it. */
const servedForEachRefusal = 20;
/** Pauses of one operation in a row from which on no pause is expected to help it. */
const mostVainPauses = 14;
/** Milliseconds after a refusal by a firewall: many of them in a short time end in a ban. */
const blockedPause = 200;
/** How many times as many requests a crowd may hold, where requests may be concurrent at all. */
const timesInCrowd = 5;
/** Responses that are remembered, and how many of one operation. */
const memory = 100;
const ownMemory = 10;
/** Refusals among those of one operation, and responses of others, that it takes to blame the operation alone. */
const fewestRefusals = 3;
const fewestOthers = 20;
/** Share of refusals of one operation from which on they may be its own, and by how much it exceeds that of the others. */
const ownShare = 0.4;
const timesOthers = 4;

interface Paced {
  readonly pace: Pace;
  /** Whether it is refused for a reason of its own, so that its refusals say nothing of others. */
  isOwn: boolean;
  refusedInARow: number;
  waiting: number;
}

/** How a request differs from the others that wait for their turn. */
interface Admission {
  /** Sent in a crowd that holds more requests than may be concurrent elsewhere. */
  readonly exceedsConcurrency?: boolean | undefined;
  /** How many requests go out with it, itself included; 1 if left out. */
  readonly turns?: number | undefined;
  /** Equal for requests that start together where they wait at the same time, whatever the rate; a race shows only then. */
  readonly company?: string | undefined;
}

interface Company {
  waiting: number;
  readonly complete: Promise<void>;
  readonly start: () => void;
}

/**
 * The only place where requests wait: for concurrency, rate, and backoff from a target, or from one of its operations, that
 * throttles. Ignores Retry-After, which the contract does not declare.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #places: Semaphore;
  readonly #crowded: Semaphore;
  readonly #pace: Pace;
  readonly #operations = new Map<string, Paced>();
  readonly #companies = new Map<string, Company>();
  #recent: Array<{ readonly operation: string; readonly isRefused: boolean }> = [];
  /** The operation whose refusals alone reduced the pace since, and the pace before them. */
  #suspect: { readonly operation: string; readonly rate: number | undefined } | undefined;
  /** The refusals under way, and the pace before them. */
  #outage: { readonly rate: number | undefined; isThrottled: boolean } | undefined;
  #hasReturned = false;
  #served = 0;
  #refused = 0;
  /** Since the last other response. */
  #throttled: { readonly since: number; at: number } | undefined;
  #slowedUntil = Number.NEGATIVE_INFINITY;
  #slowedMs = 0;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    const { concurrency } = options;
    this.#places = new Semaphore(concurrency);
    this.#crowded = new Semaphore(concurrency > 1 ? timesInCrowd * concurrency : 1);
    this.#pace = new Pace(longestPause, options.random);
  }

  /** The operations whose requests wait because the target refused others; undefined while that makes none wait. */
  get waiting(): readonly string[] | undefined {
    if (this.#now() >= this.#slowedUntil + slowedFor) return undefined;
    return [...this.#operations].flatMap(([name, { waiting }]) => (waiting > 0 ? [name] : []));
  }

  get slowedMs(): number {
    return this.#slowedMs;
  }

  /** Whether pauses have not helped an operation that is refused while others are served. */
  isInVain(operation: string): boolean {
    return this.#of(operation).pace.vainPauses >= mostVainPauses;
  }

  /** Waits for a turn and sends; `signalOf` says what the response tells of the pace. Throws `ThrottledTooLong`. */
  async run<T>(
    send: () => Promise<T>,
    signalOf: (result: T) => PaceSignal,
    operation = '',
    { exceedsConcurrency = false, turns = 1, company }: Admission = {},
  ): Promise<T> {
    const own = this.#of(operation);
    own.waiting += 1;
    for (let ms = this.#restMs(operation); ms > 0; ms = this.#restMs(operation)) await this.#sleep(ms);
    own.pace.started(this.#now());
    const wait = async (): Promise<void> => {
      try {
        for (let taken = 0; taken < turns; taken += 1) await this.#turn();
      } finally {
        own.waiting -= 1;
      }
    };
    const isAlone = company === undefined || this.#options.rate === undefined;
    if (!isAlone) await this.#waitWith(company, wait);
    return (exceedsConcurrency ? this.#crowded : this.#places).run(async () => {
      if (isAlone) await wait();
      const startedAt = this.#now();
      const result = await send();
      this.#note(operation, signalOf(result), startedAt);
      return result;
    });
  }

  /** Waits for a turn, and for those of the others in the company, unless the target refuses requests for their pace. */
  async #waitWith(name: string, wait: () => Promise<void>): Promise<void> {
    const company = keptAt(this.#companies, name, newCompany);
    company.waiting += 1;
    await this.#sleep(gatheringMs);
    try {
      await wait();
    } finally {
      company.waiting -= 1;
      if (this.#companies.get(name) === company) this.#companies.delete(name);
      if (company.waiting === 0) company.start();
    }
    if (!this.#pace.isReduced(this.#now(), this.#options.rate)) await company.complete;
  }

  #restMs(operation: string): number {
    return this.isInVain(operation) ? 0 : this.#of(operation).pace.startAt(undefined) - this.#now();
  }

  /** Waits until the pace allows another request, unless the target throttles for too long. */
  async #turn(): Promise<void> {
    const { rate } = this.#options;
    for (;;) {
      if (this.#throttled !== undefined && this.#throttled.at - this.#throttled.since > this.#patienceMs)
        throw new ThrottledTooLong(this.#patienceMs);
      const now = this.#now();
      const slot = this.#pace.startAt(rate);
      const isApart = rate === undefined || rate < 1 || this.#pace.isReduced(now, rate);
      const start = isApart
        ? slot
        : slot - (slot % ((1000 * Math.min(mostTogether, Math.floor(rate))) / rate));
      if (start <= now) {
        this.#pace.started(now, rate);
        return;
      }
      if (this.#pace.isReduced(now, rate)) {
        this.#slowedMs += Math.max(0, start - Math.max(now, this.#slowedUntil));
        this.#slowedUntil = Math.max(this.#slowedUntil, start);
      }
      await this.#sleep(start - now);
    }
  }

  /** Longer for a target that served enough to show a workable limit. */
  get #patienceMs(): number {
    const { patienceMs } = this.#options;
    if (patienceMs === undefined) return Number.POSITIVE_INFINITY;
    return this.#served < servedWithinLimit ? Math.min(patienceMs, shortThrottling) : patienceMs;
  }

  #note(operation: string, signal: PaceSignal, startedAt: number): void {
    const now = this.#now();
    const own = this.#of(operation);
    if (signal === 'unavailable') own.pace.rest(now + this.#options.random() * longestOwnPause);
    else if (signal === 'blocked') this.#pace.rest(now + blockedPause);
    else if (signal === 'served') {
      this.#remember(operation, false);
      this.#served += 1;
      this.#throttled = undefined;
      own.refusedInARow = 0;
      own.pace.served(now);
      this.#endOutage();
      this.#pace.served(now);
    } else if (signal !== 'unanswered') this.#noteRefusal(operation, startedAt, signal === 'throttled');
  }

  /** Where a refusal does not depend on the pace, the next call of its operation alone waits. */
  #noteRefusal(operation: string, startedAt: number, isThrottled: boolean): void {
    const now = this.#now();
    const own = this.#of(operation);
    this.#remember(operation, true);
    own.refusedInARow += 1;
    const wasOwn = own.isOwn;
    own.isOwn = this.#isToBlame(operation);
    if (own.isOwn) {
      if (!this.isInVain(operation)) own.pace.refused(startedAt, now);
      if (this.#suspect?.operation === operation) {
        this.#pace.resume(this.#suspect.rate);
        this.#throttled = undefined;
        this.#suspect = undefined;
      }
      return;
    }
    if (wasOwn) own.pace.resume(undefined);
    if (isThrottled) this.#throttled = { since: this.#throttled?.since ?? now, at: now };
    const { rate } = this.#pace;
    this.#refused += 1;
    this.#outage ??= { rate, isThrottled: false };
    this.#outage.isThrottled ||= isThrottled;
    // One last request before the run stops.
    const latest = this.#throttled && this.#throttled.since + this.#patienceMs + 1;
    if (!this.#pace.refused(startedAt, now, latest))
      own.pace.rest(now + this.#options.random() * pauseAfter(own.refusedInARow, longestOwnPause));
    else if (this.#suspect?.operation !== operation) this.#suspect = { operation, rate };
  }

  /** Returns to the pace before an outage: once where it was no throttling, and while few requests are refused. */
  #endOutage(): void {
    const outage = this.#outage;
    this.#outage = undefined;
    if (outage === undefined || this.#pace.vainPauses < pausesOfOutage) return;
    const isCheap = this.#served >= servedForEachRefusal * this.#refused;
    if (!isCheap && (outage.isThrottled || this.#hasReturned)) return;
    this.#pace.resume(outage.rate);
    this.#hasReturned = true;
  }

  #remember(operation: string, isRefused: boolean): void {
    this.#recent.push({ operation, isRefused });
    if (this.#recent.length > 2 * memory) this.#recent = this.#recent.slice(-memory);
  }

  /** Whether an operation is refused so much more often than the others that its limit, or its fault, is its own. */
  #isToBlame(operation: string): boolean {
    const last = this.#recent.filter((one) => one.operation === operation).slice(-ownMemory);
    const others = this.#recent.filter(
      (one) => one.operation !== operation && !this.#of(one.operation).isOwn,
    );
    const share = shareRefused(last);
    if (share < timesOthers * shareRefused(others)) return false;
    // A limit of its own that was found stays one, however rarely it is met from then on.
    const isFound = this.#of(operation).isOwn;
    return (
      isFound || (others.length >= fewestOthers && share * last.length >= fewestRefusals && share >= ownShare)
    );
  }

  #of(operation: string): Paced {
    return keptAt(this.#operations, operation, () => ({
      pace: new Pace(longestOwnPause, this.#options.random),
      isOwn: false,
      refusedInARow: 0,
      waiting: 0,
    }));
  }
}

function newCompany(): Company {
  let start: () => void = () => undefined;
  const complete = new Promise<void>((resolve) => {
    start = resolve;
  });
  return { waiting: 0, complete, start };
}

function shareRefused(responses: ReadonlyArray<{ readonly isRefused: boolean }>): number {
  return responses.filter(({ isRefused }) => isRefused).length / Math.max(1, responses.length);
}
