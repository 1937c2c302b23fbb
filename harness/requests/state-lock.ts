/** Orders the cases that act on one state of the target; whoever asked first goes first. */
export class StateLock {
  #tail: Promise<unknown> = Promise.resolve();
  #sharers: Array<Promise<unknown>> = [];
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** Acts beside others that share the state, after those that asked earlier to be alone. */
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

  /** Acts after the others that asked for a turn, beside those that merely share; for those who hold the lock already. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#lastTurn.then(act);
    this.#lastTurn = ended(acting);
    return acting;
  }
}

function ended(acting: Promise<unknown>): Promise<unknown> {
  return acting.catch(() => undefined);
}
