import type { BaselineEntry } from '../model/report.ts';

/** Findings that a release may have. */
export interface Baseline {
  /** The file as it was named. */
  readonly file: string;
  /** SHA-256 over its bytes. */
  readonly digest: string;
  readonly accepted: readonly BaselineEntry[];
}
