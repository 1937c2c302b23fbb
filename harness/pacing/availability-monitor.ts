import type { FailureKind } from '../model/exchange.ts';

/** Consecutive requests without an answer, of any operation, after which the monitor probes the target. */
const failuresBeforeProbe = 10;
/** Requests that the report names at most when the target died: one of them may have killed it. */
const suspects = 8;
/** The same of those that it answered last, as it may die of what it does after an answer. */
const lastSuspects = 6;
/** Consecutive time-outs of one operation after which no further call of it waits. */
const timeoutsOfOperation = 3;
/** Share of a time-out without any answer from which on the target counts as silent. */
const silentShare = 0.8;
/** Time-outs for which one run waits. */
const mostTimeouts = 32;
/** Milliseconds that one run spends waiting for time-outs while nothing else is answered. */
const longestStandstill = 32_000;
/** Bytes of bodies that one run reads. */
const mostBytes = 2 * 1024 ** 3;
/** Bytes of bodies that one run reads of responses that are too large or never whole. */
const mostVainBytes = 512 * 1024 ** 2;
/** Milliseconds between probes of an unreachable target: one that restarts is soon back. */
const probePauses: readonly number[] = [500, 1_000, 2_000, 3_000];
/** Milliseconds of probing after which the target counts as dead. */
const longestProbing = 8_000;
/** A request without an answer. */
export interface Unanswered {
  readonly kind: FailureKind;
  /** Label of the call, which the report names where it may have killed the target. */
  readonly label: string;
  /** Method and path, as they were recorded. */
  readonly line: string;
  readonly durationMs: number;
}

/** A request that is over. */
export interface Finished {
  /** Label of the call, which the report names where it may have killed the target. */
  readonly label: string;
  readonly isFailure: boolean;
  /** Bytes of the body. */
  readonly bytes: number;
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

/** Detects early that the target died, or that an operation never answers, so that the run need not wait for it. */
export class AvailabilityMonitor {
  readonly #probe: () => Promise<string | undefined>;
  readonly #clock: MonitorClock;
  readonly #timeouts = new Map<string, number>();
  readonly #answering = new Set<string>();
  readonly #firstCalls = new Map<string, Promise<void>>();
  #unanswered = 0;
  #allTimeouts = 0;
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

  /** Resolves when no probe is under way. */
  async probeFinished(): Promise<void> {
    await this.#probing;
  }

  /**
   * Resolves when the first call of an operation is over, so that only one call finds out that the operation never
   * answers. Returns a function to call when the request is over.
   */
  async awaitFirstAnswer(operation: string): Promise<() => void> {
    while (!this.#answering.has(operation)) {
      const before = this.#firstCalls.get(operation);
      if (before === undefined) {
        let resolveFirst: () => void = () => undefined;
        const over = new Promise<void>((resolve) => {
          resolveFirst = resolve;
        });
        this.#firstCalls.set(operation, over);
        return () => {
          this.#firstCalls.delete(operation);
          resolveFirst();
        };
      }
      await before;
    }
    return () => undefined;
  }

  /** Whether an operation has timed out so often in a row that another call of it is pointless. */
  isGivenUp(operation: string): boolean {
    // While other operations answer, one that never did is unlikely to.
    const isSilent = this.#answeredAt > 0 && !this.#answering.has(operation);
    return (this.#timeouts.get(operation) ?? 0) >= (isSilent ? 1 : timeoutsOfOperation);
  }

  /** Notes a request that is over; where it was not answered, waits for the probe that it may have caused. */
  async noteAnswer(operation: string, { label, isFailure, bytes }: Finished): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes > mostBytes) this.stop('the target has sent more than 2 GB of bodies');
    if (isFailure) {
      this.#vainBytes += bytes;
      if (this.#vainBytes > mostVainBytes)
        this.stop('the target has sent more than 512 MB of bodies that are too large or never whole');
      return this.#probing;
    }
    this.#noteAlive();
    this.#lastAnswered = [...this.#lastAnswered, `${operation} (${label})`].slice(-lastSuspects);
    this.#answering.add(operation);
    this.#timeouts.delete(operation);
  }

  /** Notes a request without an answer before the next request starts; probes a target that has not answered for long. */
  noteFailure(operation: string, { kind, label, line, durationMs }: Unanswered): void {
    const isTimeout = kind === 'timeout';
    this.#timeouts.set(operation, isTimeout ? (this.#timeouts.get(operation) ?? 0) + 1 : 0);
    this.#unanswered += 1;
    if (isTimeout) this.#allTimeouts += 1;
    if (isTimeout) this.#noteStandstill();
    if (this.#allTimeouts >= mostTimeouts || this.#standstill > longestStandstill)
      this.stop(`the target left ${this.#allTimeouts} requests without an answer in time (raise --timeout)`);
    // What is refused was sent to a target that was dead already.
    const isSuspect = kind !== 'refused' || this.#firstUnanswered.length === 0;
    if (isSuspect && this.#firstUnanswered.length < suspects)
      this.#firstUnanswered.push(
        `${operation} (${label})${this.#firstUnanswered.length === 0 ? `, ${line}` : ''}`,
      );
    // A target that answered nothing during a whole time-out has stopped answering, or is about to.
    const isSilent = isTimeout && this.#clock.now() - this.#answeredAt >= silentShare * durationMs;
    if (this.#unanswered >= failuresBeforeProbe || isSilent) this.#probing ??= this.#probeUntilAnswered();
  }

  #noteStandstill(): void {
    const now = this.#clock.now();
    if (this.#answeredAt > 0) this.#standstill += now - Math.max(this.#answeredAt, this.#standstillUntil);
    this.#standstillUntil = now;
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
}
