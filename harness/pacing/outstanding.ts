/** Requests that cases have still to send: what is good to know must leave them room in the budget. */
export class Outstanding {
  readonly #left = new Map<string, number>();
  #total = 0;

  /** Requests that are still to come. */
  get total(): number {
    return this.#total;
  }

  /** A case is going to send so many at the most. */
  expect(id: string, requests: number): void {
    this.#set(id, requests);
  }

  /** It sent one of them. */
  sent(id: string): void {
    this.#set(id, Math.max(0, (this.#left.get(id) ?? 0) - 1));
  }

  /** It sends no more, or is not made at all. */
  done(id: string): void {
    this.#set(id, 0);
  }

  #set(id: string, requests: number): void {
    this.#total += requests - (this.#left.get(id) ?? 0);
    if (requests === 0) this.#left.delete(id);
    else this.#left.set(id, requests);
  }
}
