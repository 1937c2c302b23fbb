import { Semaphore } from '../semaphore.ts';

/**
 * One lock for each resource that operations share, held by the cases whose operations act on it: a target may allow one
 * session or login at a time, or return the same one for equal calls, so that cases affect each other through it.
 */
export class StateLocks {
  readonly session: StateLock = new StateLock();
  readonly login: StateLock = new StateLock();
}

/** Orders the cases that act on one state of the target, first come first served. */
export class StateLock {
  #tail: Promise<unknown> = Promise.resolve();
  #sharers: Array<Promise<unknown>> = [];
  readonly #turns = new Semaphore(1);

  /** Acts concurrently with others that share the state, after those that earlier requested it exclusively. */
  shared<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#tail.then(act);
    this.#sharers.push(ended(acting));
    return acting;
  }

  /** Acts when all that asked earlier are done, and makes all that ask later wait. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    const acting = Promise.all([this.#tail, ...this.#sharers]).then(act);
    this.#tail = ended(acting);
    this.#sharers = [];
    return acting;
  }

  /** Acts after the others that requested a turn, concurrently with those that only share; for holders of the lock. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    return this.#turns.run(act);
  }

  /** Waits in a turn, and lets others have theirs meanwhile. */
  betweenTurns<T>(waiting: () => Promise<T>): Promise<T> {
    return this.#turns.giveWay(waiting);
  }
}

function ended(acting: Promise<unknown>): Promise<unknown> {
  return acting.catch(() => undefined);
}
