/** Milliseconds over which the pace is measured. */
const windowMs = 15_000;
/** Milliseconds that a measurement takes at least. */
const shortestMs = 1_000;

/** How far a run has come. */
export interface Passed {
  readonly at: number;
  /** Requests that were answered, and not refused for their rate. */
  readonly served: number;
  readonly requestsLeft: number;
}

/** Measures the present pace of a run, and estimates from it and from the requests to be sent the time that is left. */
export class RunPace {
  #seen: Passed[] = [];

  note(passed: Passed): void {
    this.#seen.push(passed);
    const recent = this.#seen.findIndex(({ at }) => at > passed.at - windowMs);
    // One from before the window, from which it is measured.
    if (recent > 1) this.#seen = this.#seen.slice(recent - 1);
  }

  /** Requests served per second; undefined before it can be told. */
  get perSecond(): number | undefined {
    const [first] = this.#seen;
    const last = this.#seen.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < shortestMs) return undefined;
    return Math.max(0, ((last.served - first.served) * 1000) / (last.at - first.at));
  }

  /** Milliseconds; undefined where nothing was served lately, and where nothing is left to send. */
  get leftMs(): number | undefined {
    const { perSecond } = this;
    const requestsLeft = this.#seen.at(-1)?.requestsLeft ?? 0;
    if (perSecond === undefined || perSecond === 0 || requestsLeft === 0) return undefined;
    return (1000 * requestsLeft) / perSecond;
  }
}
