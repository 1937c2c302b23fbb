import { createHash } from 'node:crypto';

/** Length from which on caching pays. */
export const large: number = 16 * 1024;

/** Caches values by large text, because targets often repeat the same body. */
export class LargeTexts<T> {
  readonly #most: number;
  readonly #known = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The cached value for these bytes, or a new one. */
  of(bytes: string | Buffer, make: () => T): T {
    const mark = createHash('sha256').update(bytes).digest('base64');
    const known = this.#known.get(mark);
    if (known !== undefined) return known;
    const made = make();
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(mark, made);
    return made;
  }
}
