/** Random choices, from a source of numbers in [0, 1). */
export class Draw {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  fraction(): number {
    return this.#random();
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** One of some items; one that is listed twice comes twice as often. */
  of<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)] as T;
  }

  /** So many items, each drawn anew. */
  list<T>(least: number, most: number, item: () => T): readonly T[] {
    return Array.from({ length: this.whole(least, most) }, item);
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    const ranked = items.map((item) => [this.#random(), item] as const);
    return ranked.sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  uuid(): string {
    const digits = this.list(32, 32, () => this.whole(0, 15).toString(16)).join('');
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
  }

  /** Any character of Unicode, the surrogates left aside. */
  character(): string {
    const code = this.whole(0, 0x10ffff - 0x800);
    return String.fromCodePoint(code < 0xd800 ? code : code + 0x800);
  }
}
