/** Why a case was not tested in an interrupted run. */
export const interruptedReason = 'the run was interrupted before this was evaluated';

/** Milliseconds that outstanding responses still have: one may open a session, which must be cancelled. */
const graceMs = 2_000;

/** The end of a run that its user asks for. */
export class Interruption {
  /** Not a promise that all wait for: it would keep each result until the run ends. */
  readonly #waiting = new Set<(error: Error) => void>();
  #isRequested = false;
  #error: Error | undefined;

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Ends all waiting with `error` once the grace is over. */
  request(error: Error): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    setTimeout(() => {
      this.#error = error;
      for (const abandon of this.#waiting) abandon(error);
    }, graceMs);
  }

  /** The result of an act, unless the run is interrupted before. */
  unlessInterrupted<T>(act: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      act.then(resolve, reject).finally(() => this.#waiting.delete(reject));
      if (this.#error !== undefined) reject(this.#error);
    });
  }
}
