/** One measurement of the benchmark: what it measures, how, and a table of what came out. */
export interface Section {
  /** What `--only` takes. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, in sentences. */
  readonly method: string;
  measure(settings: BenchSettings): Promise<Measured>;
}

/** How thoroughly is measured. */
export interface BenchSettings {
  readonly rounds: number;
  readonly roundMs: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Path of the executable of Schemathesis; one on the PATH is taken where it is not given. */
  readonly schemathesis: string | undefined;
  /** Faults, and a third as many variants, that are shown to both harnesses. */
  readonly faults: number;
}

/** The outcome of a section. */
export interface Measured {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** What is to be known beside the table, in sentences. */
  readonly notes?: readonly string[];
}
