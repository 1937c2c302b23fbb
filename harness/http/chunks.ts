/** The chunks of a body, copied as they come: whoever reads from the socket uses its memory again. */
export class Chunks {
  #bytes = Buffer.alloc(0);
  #used = 0;

  /** Makes more room than the chunk needs, so that a body in chunks of one byte is not copied for each. */
  add(chunk: Buffer): void {
    const needed = this.#used + chunk.length;
    if (needed > this.#bytes.length) {
      // A body that comes in one piece, as most do, needs no more room than it takes.
      const grown = Buffer.allocUnsafe(this.#used === 0 ? needed : Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.#used);
    this.#used = needed;
  }

  /** All bytes so far; none are held on to. */
  take(): Buffer {
    const body = this.#bytes.subarray(0, this.#used);
    this.#bytes = Buffer.alloc(0);
    this.#used = 0;
    return body;
  }
}
