/** Fresh values that were not known in spite of the wait, which do not count before they are so many. */
const fewInVain = 3;
/** Share of the waits in vain from which on waiting is no use. */
const muchInVain = 1 / 4;

/**
 * How long the target takes until it knows everywhere what it issued: the id of a session, the state of a login. Found
 * out by the first calls that use such a value, and waited for by all later ones for as long as that helps.
 */
export class PropagationDelay {
  #ms = 0;
  #waits = 0;
  #inVain = 0;

  /** Milliseconds. */
  get ms(): number {
    return this.#inVain >= fewInVain && this.#inVain > this.#waits * muchInVain ? 0 : this.#ms;
  }

  /** Takes note that a value was taken after so many milliseconds that was refused before. */
  tookUntil(ms: number): void {
    if (ms <= this.#ms) return;
    this.#ms = ms;
    this.#waits = 0;
    this.#inVain = 0;
  }

  /** Takes note of whether a value that was waited for was known then. */
  waited(isKnown: boolean): void {
    this.#waits += 1;
    if (!isKnown) this.#inVain += 1;
  }
}
