/** Undocumented statuses that services use for overload. */
export const otherOverload: readonly number[] = [420, 502, 503, 504, 509, 529];

/** Which operations served, and which signalled overload; depends only on the order of the responses. */
export class OverloadSigns {
  readonly #served = new Set<string>();
  readonly #overloaded = new Set<string>();

  /** Notes a complete response. */
  note(operation: string, status: number | undefined): void {
    if (status !== undefined && otherOverload.includes(status)) this.#overloaded.add(operation);
    else this.#served.add(operation);
  }

  /** Whether several operations that serve otherwise return this status: a fault of the whole target, not of one input. */
  isWidespread(operation: string, status: number | undefined): boolean {
    if (status === undefined || !otherOverload.includes(status)) return false;
    return this.#served.has(operation) && this.#overloaded.size > 1;
  }

  /** Whether any operation has served. */
  get hasServed(): boolean {
    return this.#served.size > 0;
  }

  /** An independent copy. */
  copy(): OverloadSigns {
    const copy = new OverloadSigns();
    for (const operation of this.#served) copy.#served.add(operation);
    for (const operation of this.#overloaded) copy.#overloaded.add(operation);
    return copy;
  }
}
