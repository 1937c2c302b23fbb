/** The lowest rate that refusals lead to, in requests per second. */
const slowestRate = 0.5;
/** Upper bound of the first random pause in milliseconds; doubles with each further refusal until a request is served. */
const firstPause = 250;
/** Factor of the rate after a refusal. */
const backOffTo = 0.85;
const growEveryMs = 250;
/** Growth as a share of the distance from the rate that was too fast, like TCP CUBIC, and at least of the rate itself. */
const growth = 0.1;
const leastGrowth = 0.01;
/** Growth as a share of the rate while the rate that is too fast is unknown, like the slow start of TCP. */
const searchGrowth = 0.5;
/** Starts within a second from which on they measure the rate at which refusals began. */
const startsThatMeasure = 30;

/** Reductions after which a faster rate is tried, to see whether it is refused more often. */
const reductionsBeforeTrial = 4;
/** Factor of the rate of a trial: of a rate limit that is used up, two thirds of the requests would exceed it. */
const fasterBy = 3;
/** Share of refused requests above which they are not taken to be refused at random, at a rate at which a run ends. */
const mostSporadic = 0.25;
/** Requests per second below which no run would end, and a faster rate does no harm. */
const endlessRate = 2;
/** Share of refused requests that is tolerated beside a limit, which would be exceeded for more. */
const mostBesideLimit = 0.06;
/** Refusals beyond the tolerated share that show a limit. */
const spareRefusals = 5;
/** Responses after which a trial has shown that the refusals do not depend on the rate. */
const responsesOfTrial = 60;

/** Upper bound of the random pause after so many refusals in a row. */
export function pauseAfter(refusals: number, longest: number): number {
  return Math.min(longest, firstPause * 2 ** Math.min(refusals - 1, 10));
}

/** What was answered since refusals were last compared with the rate. */
interface Sample {
  readonly since: number;
  responses: number;
  refusals: number;
  reductions: number;
}

/**
 * The requests per second that a target, or one of its operations, accepts: additive increase, multiplicative decrease.
 * Refusals that a faster rate does not add to, such as 429 to one request in twenty, are tolerated: a slower rate would not
 * avoid them.
 */
export class Pace {
  readonly #longestPause: number;
  readonly #random: () => number;
  /** Undefined until requests are refused. */
  #rate: number | undefined;
  /** The rate at which requests were last refused. */
  #ceiling = 0;
  /** Whether requests were refused at a rate, and not only the first ones of the run. */
  #isCeilingKnown = false;
  #nextStart = 0;
  #pauseUntil = 0;
  #pauses = 0;
  #pausedAt = Number.NEGATIVE_INFINITY;
  #grewAt = 0;
  #reducedAt = Number.NEGATIVE_INFINITY;
  /** When the requests of the last second started. */
  readonly #starts: number[] = [];
  #sample: Sample | undefined;
  #neededReductions = reductionsBeforeTrial;
  /** The share of refusals that says nothing of the rate; 0 where every refusal does. */
  #tolerated = 0;
  #spare = 0;
  /** Whether a faster rate failed, and nothing was served since. */
  #isAfterTrial = false;
  /** Share of refusals and rate before a faster rate was tried, and the responses since. */
  #trial = { share: 0, rate: 0, responses: 0 };

  /** `longestPause` bounds the random pauses, in milliseconds. */
  constructor(longestPause: number, random: () => number) {
    this.#longestPause = longestPause;
    this.#random = random;
  }

  get rate(): number | undefined {
    return this.#rate;
  }

  get vainPauses(): number {
    return this.#pauses;
  }

  /** When the next request may start, at a rate of at most `most`. */
  startAt(most: number | undefined): number {
    return Math.max(this.#pauseUntil, this.#rate === undefined && most === undefined ? 0 : this.#nextStart);
  }

  /** Whether refusals keep requests waiting now that would be sent at a rate of `most`. */
  isReduced(now: number, most: number = Number.POSITIVE_INFINITY): boolean {
    return (this.#rate ?? most) < most || this.#pauseUntil > now;
  }

  started(now: number, most: number = Number.POSITIVE_INFINITY): void {
    const rate = Math.min(this.#rate ?? most, most);
    this.#nextStart = Math.max(this.#nextStart, now - 50) + 1000 / rate;
    this.#starts.push(now);
    this.#forgetStarts(now);
  }

  rest(until: number): void {
    this.#pauseUntil = Math.max(this.#pauseUntil, until);
  }

  /** Returns to an earlier rate, where the refusals since said nothing about it. */
  resume(rate: number | undefined): void {
    this.#rate = rate;
    this.#pauseUntil = 0;
    this.#nextStart = 0;
    this.#pauses = 0;
  }

  served(now: number): void {
    this.#pauses = 0;
    this.#isAfterTrial = false;
    this.#count(false);
    if (this.#rate === undefined || now - this.#grewAt < growEveryMs) return;
    this.#grewAt = now;
    const distance = Math.abs(this.#ceiling - this.#rate);
    this.#rate += Math.max(
      distance * growth,
      this.#rate * (this.#isCeilingKnown ? leastGrowth : searchGrowth),
    );
  }

  /** Notes that a request was refused; the pause that follows is over at `latest`. Tells whether the refusal says anything of the rate. */
  refused(startedAt: number, now: number, latest: number = Number.POSITIVE_INFINITY): boolean {
    this.#count(true);
    if (this.#tolerated > 0) {
      this.#spare -= 1;
      if (this.#spare >= 0) return false;
      this.#endTrial();
    }
    // Requests sent before the last pause say nothing about the rate after it.
    if (startedAt < this.#pausedAt) return true;
    if (this.#pauses === 0 && !this.#isAfterTrial && this.#beginsTrial(now)) return true;
    // What is refused until the trial is forgotten says nothing about the rate before it, nor does the rest of a short outage.
    const isOutage = this.#pauses > 0 && now - this.#reducedAt < firstPause;
    if (!this.#isAfterTrial && !isOutage) this.#reduce(now);
    this.#pauses += 1;
    const pause = this.#random() * pauseAfter(this.#pauses, this.#longestPause);
    this.rest(Math.min(now + pause, Math.max(now, latest)));
    this.#nextStart = Math.max(this.#nextStart, this.#pauseUntil);
    this.#pausedAt = now;
    this.#grewAt = now;
    return true;
  }

  #reduce(now: number): void {
    this.#reducedAt = now;
    this.#forgetStarts(now);
    const starts = this.#starts.length;
    // A rate at which nothing was served tells nothing about the limit.
    this.#isCeilingKnown ||= (this.#rate !== undefined && this.#pauses === 0) || starts >= startsThatMeasure;
    this.#ceiling = this.#rate ?? Math.max(1, starts);
    this.#rate = Math.max(slowestRate, this.#ceiling * backOffTo);
  }

  #forgetStarts(now: number): void {
    while ((this.#starts[0] ?? now) <= now - 1_000) this.#starts.shift();
  }

  /** Tries a faster rate where several reductions have not kept requests from being refused now and then. */
  #beginsTrial(now: number): boolean {
    if (this.#tolerated > 0) return false;
    const sample = this.#sample;
    if (sample !== undefined) {
      sample.reductions += 1;
      if (sample.reductions < this.#neededReductions) return false;
    }
    this.#sample = { since: now, responses: 0, refusals: 0, reductions: 0 };
    if (sample === undefined || now <= sample.since || this.#rate === undefined) return false;
    const share = sample.refusals / sample.responses;
    if (share > mostSporadic && this.#rate > endlessRate) return false;
    this.#trial = { share, rate: this.#rate, responses: 0 };
    this.#tolerated = Math.min(2 * share + 0.1, (1 + share) / 2);
    this.#spare = spareRefusals;
    this.#rate = (fasterBy * 1000 * sample.responses) / (now - sample.since);
    this.#isCeilingKnown = false;
    this.#grewAt = now;
    this.#nextStart = now;
    return true;
  }

  /** The faster rate is refused more often: at once, or once it has grown further to a limit. */
  #endTrial(): void {
    const { share, rate, responses } = this.#trial;
    if (responses >= responsesOfTrial && share <= mostSporadic) {
      this.#tolerated = Math.min(mostBesideLimit, share) + 0.02;
      this.#spare = spareRefusals;
      return;
    }
    this.#tolerated = 0;
    this.#sample = undefined;
    if (rate > endlessRate) this.#neededReductions *= 3;
    this.#ceiling = rate;
    this.#isCeilingKnown = true;
    this.#rate = Math.max(slowestRate, rate * backOffTo);
    this.#isAfterTrial = true;
  }

  #count(isRefused: boolean): void {
    this.#trial.responses += 1;
    this.#spare = Math.min(spareRefusals, this.#spare + this.#tolerated);
    if (this.#sample === undefined) return;
    this.#sample.responses += 1;
    if (isRefused) this.#sample.refusals += 1;
  }
}
