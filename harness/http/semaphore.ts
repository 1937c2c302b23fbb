/** Lets so many through at once, and the others when these are done. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Takes a place; where none is free, `enter` is called as soon as one is. Gives whether it was free. */
  take(enter: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.push(enter);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  /** Gives back a place, or the wait for one. */
  leave(enter: () => void): void {
    const at = this.#waiting.indexOf(enter);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
