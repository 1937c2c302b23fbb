/** Checkout sessions that the harness made and that are still open, so that they can be cancelled at the end. */
export class OpenSessions {
  readonly #open = new Set<string>();
  #anyOpened = false;

  /** Whether a session was ever opened. */
  get anyOpened(): boolean {
    return this.#anyOpened;
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
