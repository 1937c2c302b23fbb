/** Why a case was not tested in an interrupted run. */
export const interruptedReason = 'the run was interrupted before this was evaluated';

/** Milliseconds that outstanding responses still have: one may open a session, which must be cancelled. */
const graceMs = 2_000;

/** The end of a run that its user asks for. */
export class Interruption {
  readonly #abandoned: Promise<never>;
  #abandon: (error: Error) => void = () => undefined;
  #isRequested = false;

  constructor() {
    this.#abandoned = new Promise<never>((_, reject) => {
      this.#abandon = reject;
    });
    this.#abandoned.catch(() => undefined);
  }

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Ends all waiting with `error` once the grace is over. */
  request(error: Error): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    setTimeout(() => this.#abandon(error), graceMs);
  }

  /** The result of an act, unless the run is interrupted before. */
  unlessInterrupted<T>(act: Promise<T>): Promise<T> {
    return Promise.race([act, this.#abandoned]);
  }
}
