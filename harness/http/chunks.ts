/** Bytes up to which a chunk is put together with others: a body in chunks of one byte must not cost an object for each. */
const small = 4 * 1024;
const blockSize = 64 * 1024;

/** The chunks of a body, as they come. */
export class Chunks {
  #whole: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  /** So many bytes may come: room for them is taken once, which costs nothing where none come. */
  expect(bytes: number): void {
    if (bytes <= blockSize) return;
    const block = Buffer.allocUnsafe(bytes);
    const before = this.take();
    if (before.length > bytes) {
      this.#whole.push(before);
      return;
    }
    this.#used = before.copy(block);
    this.#block = block;
  }

  /** Copies the chunk: whoever reads from the socket uses its memory again. */
  add(chunk: Buffer): void {
    const expected = this.#block !== undefined && this.#block.length > blockSize ? this.#block : undefined;
    if (expected !== undefined && this.#used + chunk.length <= expected.length) {
      chunk.copy(expected, this.#used);
      this.#used += chunk.length;
      return;
    }
    if (chunk.length > small) {
      this.#close();
      this.#whole.push(Buffer.from(chunk));
      return;
    }
    if (this.#block !== undefined && this.#used + chunk.length > blockSize) this.#close();
    // A body that comes in one piece, as most do, needs no more room than it takes.
    this.#block ??= Buffer.allocUnsafe(this.#whole.length === 0 ? chunk.length : blockSize);
    if (this.#used + chunk.length > this.#block.length) {
      const grown = Buffer.allocUnsafe(this.#used + chunk.length > small ? blockSize : small);
      this.#block.copy(grown, 0, 0, this.#used);
      this.#block = grown;
    }
    chunk.copy(this.#block, this.#used);
    this.#used += chunk.length;
  }

  /** All bytes so far; none are held on to. */
  take(): Buffer {
    this.#close();
    const [first] = this.#whole;
    const body = this.#whole.length === 1 && first !== undefined ? first : Buffer.concat(this.#whole);
    this.#whole = [];
    return body;
  }

  #close(): void {
    if (this.#block !== undefined) this.#whole.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Lets so many through at once, and the others when these are done. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Takes a place; where none is free, `enter` is called as soon as one is. Gives whether it was free. */
  take(enter: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.push(enter);
      return false;
    }
    this.#free -= 1;
    return true;
  }

  /** Gives back a place, or the wait for one. */
  leave(enter: () => void): void {
    const at = this.#waiting.indexOf(enter);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
