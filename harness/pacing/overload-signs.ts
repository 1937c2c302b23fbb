/** Statuses other than 429 with which services say that they are asked too much, though none is documented. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Which operations served, and which answered with a sign of overload: known from the order of the answers alone. */
export class OverloadSigns {
  readonly #served = new Set<string>();
  readonly #overloaded = new Set<string>();

  /** Takes note of a complete answer. */
  note(operation: string, status: number | undefined): void {
    if (status !== undefined && otherOverload.includes(status)) this.#overloaded.add(operation);
    else this.#served.add(operation);
  }

  /** Whether several operations that serve otherwise answer so: a fault of the whole target, not of what was asked. */
  isWidespread(operation: string, status: number | undefined): boolean {
    if (status === undefined || !otherOverload.includes(status)) return false;
    return this.#served.has(operation) && this.#overloaded.size > 1;
  }

  /** As they are now, whatever is noted later. */
  copy(): OverloadSigns {
    const copy = new OverloadSigns();
    for (const operation of this.#served) copy.#served.add(operation);
    for (const operation of this.#overloaded) copy.#overloaded.add(operation);
    return copy;
  }
}
