/** Refusals after which a faster pace is tried, to see whether it is refused more often. */
const refusalsBeforeTrial = 4;
/** Factor of the pace of a trial: of a rate limit that is used up, two thirds of the requests would exceed it. */
const fasterBy = 3;
/** Share of refused requests above which a target is never taken to refuse at random. */
const mostSporadic = 0.25;
/** Share of refused requests that a trial bears at the most. */
const mostInTrial = 0.5;
/** The same beside a limit, which would be exceeded for more. */
const mostBesideLimit = 0.06;
/** Refusals beyond the usual share that end a trial. */
const spareRefusals = 5;
/** Responses after which a trial has shown that the refusals do not depend on the pace. */
const responsesOfTrial = 60;
/** Refusals of one operation in a row that end a trial. */
const mostInARow = 6;

/** What was answered since a refusal. */
interface Block {
  readonly since: number;
  responses: number;
  refusals: number;
  /** Refusals that reduced the pace after others were served. */
  backoffs: number;
}

/**
 * Detects refusals that do not depend on the pace, such as 429 to one request in twenty. A rate limit refuses far more
 * requests at three times the pace; a target that refuses at random does not, so that a slower pace would not help either.
 */
export class RefusalPattern {
  #block: Block | undefined;
  #needed = refusalsBeforeTrial;
  /** Share of refusals before the trial; undefined while none is under way. */
  #share: number | undefined;
  #spare = 0;
  /** Responses since the trial began. */
  #tried = 0;
  #isLimited = false;
  readonly #inARow = new Map<string, number>();

  /** Whether a faster pace is tried, or has turned out to be refused no more often. */
  get isSporadic(): boolean {
    return this.#share !== undefined;
  }

  /** Whether a pace is known to be refused more often. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /** Notes a response that is no refusal. */
  served(operation: string): void {
    if (this.#block !== undefined) this.#block.responses += 1;
    this.#inARow.delete(operation);
    this.#earn();
  }

  /** Notes a refusal; tells how many its operation has met in a row, and whether there are more than chance explains. */
  refused(operation: string): { readonly inARow: number; readonly isExcess: boolean } {
    if (this.#block !== undefined) {
      this.#block.responses += 1;
      this.#block.refusals += 1;
    }
    const inARow = (this.#inARow.get(operation) ?? 0) + 1;
    this.#inARow.set(operation, inARow);
    if (this.#share === undefined) return { inARow, isExcess: true };
    this.#earn();
    this.#spare -= 1;
    if (this.#spare >= 0 && inARow < mostInARow) return { inARow, isExcess: false };
    if (this.#tried >= responsesOfTrial) {
      // There is a limit as well, above the pace before the trial.
      this.#isLimited = true;
      this.#spare = spareRefusals;
      this.#inARow.clear();
    } else {
      this.#share = undefined;
      this.#block = undefined;
      this.#needed *= 3;
    }
    return { inARow, isExcess: true };
  }

  /**
   * Notes that the pace is about to be reduced, and whether anything was served since it last was. Returns the pace to try
   * instead; undefined for none.
   */
  backsOff(now: number, wasServed: boolean): number | undefined {
    if (this.#share !== undefined) return undefined;
    const block = this.#block;
    if (block !== undefined && wasServed) block.backoffs += 1;
    if (block !== undefined && block.backoffs < this.#needed) return undefined;
    this.#block = { since: now, responses: 0, refusals: 0, backoffs: 0 };
    if (block === undefined || now <= block.since) return undefined;
    const share = block.refusals / block.responses;
    if (share > mostSporadic) return undefined;
    this.#share = share;
    this.#spare = spareRefusals;
    this.#tried = 0;
    this.#inARow.clear();
    return (fasterBy * 1000 * block.responses) / (now - block.since);
  }

  /** Up to twice the usual share of refusals, and one more in ten, are within chance; less beside a limit. */
  #earn(): void {
    if (this.#share === undefined) return;
    this.#tried += 1;
    const most = this.#isLimited
      ? Math.min(mostBesideLimit, this.#share) + 0.02
      : Math.min(mostInTrial, 2 * this.#share + 0.1);
    this.#spare = Math.min(spareRefusals, this.#spare + most);
  }
}
