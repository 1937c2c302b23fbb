/** Lets many act at once, or one alone; whoever asked first goes first. */
export class SharedLock {
  #tail: Promise<unknown> = Promise.resolve();
  #sharers: Array<Promise<unknown>> = [];

  /** Acts together with others that share, after whoever asked to be alone before. */
  shared<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#tail.then(act);
    this.#sharers.push(settled(acting));
    return acting;
  }

  /** Acts when all that asked before are done, and makes all that ask later wait. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    const acting = Promise.all([this.#tail, ...this.#sharers]).then(act);
    this.#tail = settled(acting);
    this.#sharers = [];
    return acting;
  }
}

function settled(acting: Promise<unknown>): Promise<unknown> {
  return acting.catch(() => undefined);
}
