/** Responses of one operation that are remembered, and of all others. */
const ownMemory = 10;
const othersMemory = 100;
/** Refusals among those of one operation, and responses of others, that it takes to blame the operation alone. */
const fewestRefusals = 3;
const fewestOthers = 20;
/** Share of refusals of one operation from which on they may be its own, and by how much it exceeds that of the others. */
const ownShare = 0.4;
const timesOthers = 4;
/** Milliseconds between two calls of an operation with refusals of its own: at first, and at the most. */
const firstGap = 50;
const longestGap = 1_000;
/** What a served call makes of the gap. */
const narrower = 0.8;
/** Refusals, each after a longer wait, from which on no wait is expected to help. */
const mostInVain = 14;
/** A gap below which an operation is no longer paced by itself. */
const shortestGap = 10;

interface Paced {
  /** Whether each of the last responses was a refusal. */
  readonly last: boolean[];
  /** 0 where the operation is not paced by itself. */
  gap: number;
  /** Refusals that widened the gap since a call was served. */
  inVain: number;
  widenedAt: number;
  nextStart: number;
}

/** Paces operations by themselves that are refused while others are served: their own limit must not slow the others. */
export class OperationPace {
  readonly #operations = new Map<string, Paced>();
  /** The last responses of all operations. */
  #recent: Array<readonly [operation: string, isRefused: boolean]> = [];

  /** Milliseconds until a call of the operation may start; takes the turn where there are none. */
  turn(operation: string, now: number): number {
    const paced = this.#of(operation);
    if (paced.nextStart > now) return paced.nextStart - now;
    paced.nextStart = now + paced.gap;
    return 0;
  }

  /** Whether waiting has not helped an operation. */
  isInVain(operation: string): boolean {
    return this.#of(operation).inVain >= mostInVain;
  }

  /** Keeps the next call of an operation waiting. */
  rest(operation: string, until: number): void {
    const paced = this.#of(operation);
    paced.nextStart = Math.max(paced.nextStart, until);
  }

  served(operation: string): void {
    const paced = this.#note(operation, false);
    paced.inVain = 0;
    paced.gap = Math.min(paced.gap, firstGap) * narrower;
    if (paced.gap < shortestGap) paced.gap = 0;
  }

  /** Notes a refusal of a call that started then; tells whether the operation alone is to blame, which is paced by itself. */
  refused(operation: string, startedAt: number, now: number): boolean {
    const paced = this.#note(operation, true);
    const others = this.#recent.filter(([other]) => other !== operation);
    const share = shareOf(paced.last);
    const shareOfOthers = shareOf(others.map(([, isRefused]) => isRefused));
    const isOwn =
      others.length >= fewestOthers &&
      share * paced.last.length >= fewestRefusals &&
      share >= Math.max(ownShare, timesOthers * shareOfOthers);
    if (!isOwn) paced.gap = 0;
    else if (this.isInVain(operation)) return true;
    else if (paced.gap === 0 || startedAt >= paced.widenedAt) {
      paced.gap = Math.min(longestGap, firstGap * 2 ** paced.inVain);
      paced.widenedAt = now;
      paced.inVain += 1;
      if (this.isInVain(operation)) paced.gap = 0;
      else this.rest(operation, now + paced.gap);
    }
    return isOwn;
  }

  #note(operation: string, isRefused: boolean): Paced {
    const paced = this.#of(operation);
    paced.last.push(isRefused);
    if (paced.last.length > ownMemory) paced.last.shift();
    this.#recent.push([operation, isRefused]);
    if (this.#recent.length > 2 * othersMemory) this.#recent = this.#recent.slice(-othersMemory);
    return paced;
  }

  #of(operation: string): Paced {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const paced: Paced = { last: [], gap: 0, inVain: 0, widenedAt: 0, nextStart: 0 };
    this.#operations.set(operation, paced);
    return paced;
  }
}

function shareOf(refused: readonly boolean[]): number {
  return refused.filter(Boolean).length / Math.max(1, refused.length);
}
