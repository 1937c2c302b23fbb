import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Exchange } from '../model/exchange.ts';
import { partOf } from '../write-atomically.ts';
import {
  type EvidenceRun,
  headOf,
  lineOf,
  originOf,
  type RecordedAttempt,
  tailOf,
} from './evidence-format.ts';

/** Whether the evidence of a run was written. */
export type EvidenceOutcome =
  | { readonly written: true; readonly exchanges: number; readonly bytes: number; readonly sha256: string }
  | { readonly written: false; readonly why: string };

const piece = 64 * 1024;

/**
 * Writes evidence.har during the run. Writes synchronously, so that a slow disk slows the run instead of filling the
 * memory. An incomplete file has another name, which a killed run leaves behind.
 */
export class EvidenceWriter {
  readonly #path: string;
  readonly #part: string;
  readonly #origin: string;
  readonly #hash = createHash('sha256');
  readonly #attempts: RecordedAttempt[] = [];
  #file: number | undefined;
  #gathered = '';
  #bytes = 0;
  #exchanges = 0;
  #why: string | undefined;

  /**
   * Creates the file immediately, so that a folder without write access shows before anything is sent; or opens
   * `prepared`, an empty incomplete file.
   */
  constructor(
    path: string,
    run: EvidenceRun,
    {
      prepared,
      // What is prepared is never created: it may have been removed meanwhile because the process ends.
      open = (part) =>
        openSync(part, prepared === undefined ? 'wx' : constants.O_WRONLY | constants.O_NOFOLLOW),
    }: { readonly prepared?: string | undefined; readonly open?: (part: string) => number } = {},
  ) {
    this.#path = path;
    this.#part = prepared ?? partOf(path);
    this.#origin = originOf(run);
    this.#attempt(() => {
      this.#file = open(this.#part);
    });
    this.#write(headOf(run));
  }

  readonly observe = (exchange: Exchange): void => {
    if (this.#why !== undefined) return;
    this.#write(lineOf(exchange, this.#origin, this.#exchanges === 0));
    this.#exchanges += 1;
  };

  readonly observeAttempt = (attempt: RecordedAttempt): void => {
    this.#attempts.push(attempt);
  };

  /** Completes the file and renames it; leaves no file where anything could not be written. */
  finish(): EvidenceOutcome {
    this.#write(tailOf(this.#attempts));
    this.#flush();
    const file = this.#file;
    try {
      if (file !== undefined) closeSync(file);
    } catch (error) {
      this.#why ??= (error as Error).message;
    }
    this.#attempt(() => renameSync(this.#part, this.#path));
    if (this.#why === undefined) {
      const sha256 = this.#hash.digest('hex');
      return { written: true, exchanges: this.#exchanges, bytes: this.#bytes, sha256 };
    }
    if (file !== undefined) rmSync(this.#part, { force: true });
    return { written: false, why: this.#why };
  }

  #write(text: string): void {
    this.#gathered += text;
    if (this.#gathered.length >= piece) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.from(this.#gathered);
    this.#gathered = '';
    this.#attempt(() => {
      if (this.#file === undefined) return;
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
    });
  }

  /** A full disk ends the evidence, not the run. */
  #attempt(act: () => void): void {
    if (this.#why !== undefined) return;
    try {
      act();
    } catch (error) {
      this.#why = (error as Error).message;
    }
  }
}
