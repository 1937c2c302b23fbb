import { createHash } from 'node:crypto';

/** Characters from which on it pays to tell whether a text came before. */
export const large: number = 16 * 1024;

/** Remembers what belongs to large texts: many a target sends the same ones again and again. */
export class LargeTexts<T> {
  readonly #most: number;
  readonly #known = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What was made for the same bytes before, or is made now. */
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
