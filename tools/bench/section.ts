/** One measurement of the benchmark: what it measures, how, and its table. */
export interface Section {
  /** The value of `--only`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, in sentences. */
  readonly method: string;
  measure(settings: BenchSettings): Promise<Measured>;
}

/** How thoroughly the benchmark measures. */
export interface BenchSettings {
  readonly rounds: number;
  readonly roundMs: number;
  /** Requests under way at once. */
  readonly concurrency: number;
}

/** The outcome of a section. */
export interface Measured {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Sentences below the table. */
  readonly notes?: readonly string[];
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
