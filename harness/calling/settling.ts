/** Fresh values that were not known in spite of the wait, after which waiting is no use. */
const waitsInVain = 3;

/**
 * How long the target takes until it knows everywhere what it issued: the id of a session, the state of a login. Found
 * out by the first calls that use such a value, and waited for by all later ones for as long as that helps.
 */
export class Settling {
  #ms = 0;
  #inVain = 0;

  /** Milliseconds. */
  get ms(): number {
    return this.#inVain < waitsInVain ? this.#ms : 0;
  }

  /** Takes note that a value was taken after so many milliseconds that was refused before. */
  tookUntil(ms: number): void {
    this.#ms = Math.max(this.#ms, ms);
  }

  /** Takes note that a value was not known although it was waited for. */
  wasInVain(): void {
    if (this.#ms > 0) this.#inVain += 1;
  }
}
