/** Which of how many parts of a run is run. */
export interface Shard {
  /** Counts from 1. */
  readonly index: number;
  readonly of: number;
}
