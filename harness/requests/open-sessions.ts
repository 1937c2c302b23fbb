/** Sessions that were waited for and never found, after which waiting is no use. */
const waitsInVain = 3;

/** Checkout sessions that the harness made and that are still open, so that they can be cancelled at the end. */
export class OpenSessions {
  readonly #open = new Set<string>();
  #anyOpened = false;
  #foundLater = 0;
  #neverFound = 0;

  /** Whether a session was ever opened. */
  get anyOpened(): boolean {
    return this.#anyOpened;
  }

  /** Whether reads of fresh sessions that found nothing ever found them later, or were too few to tell. */
  get areWorthWaitingFor(): boolean {
    return this.#foundLater > 0 || this.#neverFound < waitsInVain;
  }

  /** Takes note of whether a session that a first read did not find was found later. */
  waitedFor(found: boolean): void {
    if (found) this.#foundLater += 1;
    else this.#neverFound += 1;
  }

  opened(id: string): void {
    this.#anyOpened = true;
    this.#open.add(id);
  }

  closed(id: string): void {
    this.#open.delete(id);
  }

  /** Ids of the sessions that are still open, oldest first. */
  list(): readonly string[] {
    return [...this.#open];
  }
}
