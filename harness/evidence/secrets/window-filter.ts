/** Characters of a window. */
export const windowLength = 6;
/** Every stretch of `surelyFound` characters holds a whole window that starts at a multiple of this. */
export const windowStep = 7;
/** Characters from which on a stretch of a form is found, wherever it stands. */
export const surelyFound: number = windowLength + windowStep - 1;

const buckets = 1 << 17;

/** Tells quickly of most texts that nothing of what was added, as far as it is long enough, stands in them. */
export class WindowFilter {
  readonly #windows = new Set<string>();
  /** Marks hashes that some window has, so that few windows of a text are cut out and looked up. */
  readonly #hashes = new Uint8Array(buckets);

  add(form: string): void {
    for (let at = 0; at + windowLength <= form.length; at += 1) {
      this.#windows.add(form.slice(at, at + windowLength));
      this.#hashes[hashAt(form, at)] = 1;
    }
  }

  /** False only where no stretch of `surelyFound` characters of anything added stands in the text. */
  mayHold(text: string): boolean {
    for (let at = 0; at + windowLength <= text.length; at += windowStep) {
      if (this.#hashes[hashAt(text, at)] === 1 && this.#windows.has(text.slice(at, at + windowLength))) {
        return true;
      }
    }
    return false;
  }
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + windowLength; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return (hash ^ (hash >>> 15)) & (buckets - 1);
}
