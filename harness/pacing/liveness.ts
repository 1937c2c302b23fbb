import type { FailureKind } from '../model/exchange.ts';
import { OverloadSigns, otherOverload } from './overload-signs.ts';

/** Requests without an answer, whatever they ask, after which it is looked whether the target is still there. */
const doubtsAfter = 10;
/** Requests that are named where a target died: one of them may have killed it. */
const suspects = 4;
/** Time-outs of one operation in a row after which nobody else waits for it. */
const givenUpAfter = 3;
/** Part of its time-out in which nobody was answered: the last answers come in while the first requests hang. */
const silentFor = 0.8;
/** Time-outs in all that a run waits for. */
const mostTimeouts = 32;
/** Milliseconds in all in which a run got nowhere, because nobody was answered until a request timed out. */
const longestStandstill = 32_000;
/** Bytes of bodies in all that a run reads. */
const mostBytes = 2 * 1024 ** 3;
/** Milliseconds between looks at a target that is gone: one that is restarted is soon back. */
const returnPauses: readonly number[] = [500, 1_000, 2_000, 3_000];
/** Milliseconds of looking after which a target that is gone is not waited for. */
const longestReturn = 8_000;

/** Such answers of one operation, or of all together, that are taken for overload; more are simply what is answered. */
const overloadsBelieved = 30;

/** What came of a request. */
export interface Sign {
  readonly failure?: FailureKind | undefined;
  readonly status?: number | undefined;
  /** What was asked, for naming it where it may have killed the target. */
  readonly what?: string;
  readonly durationMs?: number;
  /** Bytes of the body that were read. */
  readonly bytes?: number;
}

/** Time, as the liveness of a target needs it. */
export interface LivenessClock {
  /** Milliseconds since some fixed point. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const realClock: LivenessClock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Notices early that a target died, or that one of its operations never answers, so that the run need not wait for it. */
export class Liveness {
  readonly #look: () => Promise<string | undefined>;
  readonly #clock: LivenessClock;
  readonly #timeouts = new Map<string, number>();
  readonly #heard = new Set<string>();
  readonly #approaching = new Map<string, Promise<void>>();
  readonly #signs = new OverloadSigns();
  #overloads = 0;
  #unanswered = 0;
  #allTimeouts = 0;
  #standstill = 0;
  #standstillUntil = 0;
  #bytes = 0;
  /** 0 for never. */
  #answeredAt = 0;
  /** Since the last answer. */
  #firstUnanswered: string[] = [];
  #looking: Promise<void> | undefined;
  #dead: string | undefined;
  #ended: string | undefined;

  /** `look` gives the reason why the target cannot be reached, or undefined where it answers. */
  constructor(look: () => Promise<string | undefined>, clock: LivenessClock = realClock) {
    this.#look = look;
    this.#clock = clock;
  }

  /** Why the target is taken for dead; undefined while it answers. */
  get dead(): string | undefined {
    return this.#dead;
  }

  /** Why nothing more is asked of the target, be it dead or past bearing; undefined while the run goes on. */
  get ended(): string | undefined {
    return this.#dead === undefined ? this.#ended : `the target stopped answering: ${this.#dead}`;
  }

  /** Nothing more is to be asked, though the target is not dead; the first reason stays. */
  end(reason: string): void {
    this.#ended ??= reason;
  }

  /** Resolves when nobody is looking whether the target is still there. */
  async looked(): Promise<void> {
    await this.#looking;
  }

  /**
   * Resolves when it is known whether an operation answers at all: where it does not, others need not find that out as
   * well. Gives what is to be called when the request is over.
   */
  async approach(operation: string): Promise<() => void> {
    while (!this.#heard.has(operation)) {
      const before = this.#approaching.get(operation);
      if (before === undefined) {
        let leave: () => void = () => undefined;
        const over = new Promise<void>((resolve) => {
          leave = resolve;
        });
        this.#approaching.set(operation, over);
        return () => {
          this.#approaching.delete(operation);
          leave();
        };
      }
      await before;
    }
    return () => undefined;
  }

  /** Whether an operation has timed out so often in a row that waiting for it again is no use. */
  isGivenUp(operation: string): boolean {
    // Where others answer, one that never did is not going to.
    const isUnheard = this.#answeredAt > 0 && !this.#heard.has(operation);
    return (this.#timeouts.get(operation) ?? 0) >= (isUnheard ? 1 : givenUpAfter);
  }

  /**
   * Whether an answer is a sign that the target is asked too much: a 429, or another status where
   * several operations give it that serve otherwise. Going easy on a target that says it wrongly keeps that fault from hiding all else.
   */
  isOverload(operation: string, status: number | undefined): boolean {
    if (status === undefined || !otherOverload.includes(status)) return status === 429;
    return this.isWidespread(operation, status) && this.#overloads <= overloadsBelieved;
  }

  /** Whether several operations that serve otherwise answer so: a fault of the whole target, not of what was asked. */
  isWidespread(operation: string, status: number | undefined): boolean {
    return this.#signs.isWidespread(operation, status);
  }

  /** The signs of overload so far; they do not change with what comes later. */
  signs(): OverloadSigns {
    return this.#signs.copy();
  }

  /** Takes note of an answer, or waits while it is looked whether the target that gave none is still there. */
  async note(operation: string, { failure, status, bytes = 0 }: Sign): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes > mostBytes) this.end('the target has sent more than 2 GB of bodies');
    if (failure !== undefined) return this.#looking;
    if (status !== undefined && otherOverload.includes(status)) this.#overloads += 1;
    this.#signs.note(operation, status);
    this.#hear();
    this.#heard.add(operation);
    this.#timeouts.delete(operation);
  }

  /**
   * Takes note of a request without an answer, before any other takes its turn; looks after the target where it has
   * not answered for long.
   */
  miss(operation: string, { failure, what = '', durationMs = 0 }: Sign): void {
    const isTimeout = failure === 'timeout';
    this.#timeouts.set(operation, isTimeout ? (this.#timeouts.get(operation) ?? 0) + 1 : 0);
    this.#unanswered += 1;
    if (isTimeout) this.#allTimeouts += 1;
    if (isTimeout) this.#noteStandstill();
    if (this.#allTimeouts >= mostTimeouts || this.#standstill > longestStandstill)
      this.end(`the target left ${this.#allTimeouts} requests without an answer in time (raise --timeout)`);
    if (this.#firstUnanswered.length < suspects) this.#firstUnanswered.push(`${operation} (${what})`);
    // Whoever answered nobody for the length of a whole time-out has stopped answering, or is about to.
    const isSilent = isTimeout && this.#clock.now() - this.#answeredAt >= silentFor * durationMs;
    if (this.#unanswered >= doubtsAfter || isSilent) this.#looking ??= this.#lookAfter();
  }

  #noteStandstill(): void {
    const now = this.#clock.now();
    if (this.#answeredAt > 0) this.#standstill += now - Math.max(this.#answeredAt, this.#standstillUntil);
    this.#standstillUntil = now;
  }

  #hear(): void {
    this.#answeredAt = this.#clock.now();
    this.#unanswered = 0;
    this.#firstUnanswered = [];
  }

  async #lookAfter(): Promise<void> {
    const { now, sleep } = this.#clock;
    const since = now();
    let reason = await this.#look();
    for (const pause of returnPauses) {
      if (reason === undefined || now() - since + pause > longestReturn) break;
      await sleep(pause);
      reason = await this.#look();
    }
    if (reason === undefined) this.#hear();
    else {
      this.#dead = `${reason}; the first requests without an answer: ${this.#firstUnanswered.join(', ')}`;
      this.#unanswered = 0;
    }
    this.#looking = undefined;
  }
}
