/** Milliseconds over which the pace is measured, and those over which it estimates the time left, because a few calls may be slow. */
const windowMs = 15_000;
const windowOfRestMs = 60_000;
/** Milliseconds that a measurement takes at least. */
const shortestMs = 1_000;

/** How far a run has come; the requests that were answered, and not refused for their rate, are served. */
type Passed = Readonly<Record<'at' | 'served' | 'requestsLeft', number>>;

/** Measures the present pace of a run, and estimates from it and from the requests to be sent the time that is left. */
export class RunPace {
  #seen: Passed[] = [];

  note(passed: Passed): void {
    this.#seen.push(passed);
    this.#seen = this.#within(windowOfRestMs);
  }

  /** Requests served per second; undefined until it is known. */
  get perSecond(): number | undefined {
    return this.#paceOver(windowMs);
  }

  /** Milliseconds; undefined where nothing was served lately, and where nothing is left to send. */
  get leftMs(): number | undefined {
    const perSecond = this.#paceOver(windowOfRestMs);
    const requestsLeft = this.#seen.at(-1)?.requestsLeft ?? 0;
    if (perSecond === undefined || perSecond === 0 || requestsLeft === 0) return undefined;
    return (1000 * requestsLeft) / perSecond;
  }

  #paceOver(ms: number): number | undefined {
    const seen = this.#within(ms);
    const [first] = seen;
    const last = seen.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < shortestMs) return undefined;
    return Math.max(0, ((last.served - first.served) * 1000) / (last.at - first.at));
  }

  /** The samples of the last milliseconds, with one from before them as the starting point. */
  #within(ms: number): Passed[] {
    const until = this.#seen.at(-1)?.at ?? 0;
    return this.#seen.slice(Math.max(0, this.#seen.findIndex(({ at }) => at > until - ms) - 1));
  }
}
