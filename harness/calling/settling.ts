/**
 * How long the target takes until it knows everywhere what it issued: the id of a session, the state of a login. Found
 * out by the first calls that use such a value, and waited for by all later ones.
 */
export class Settling {
  #ms = 0;

  /** Milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  /** Takes note that a value was taken after so many milliseconds that was refused before. */
  tookUntil(ms: number): void {
    this.#ms = Math.max(this.#ms, ms);
  }
}
