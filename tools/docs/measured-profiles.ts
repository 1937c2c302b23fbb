/** What a whole proof of one profile printed, at seed 1. */
export interface MeasuredProfile {
  readonly profile: string;
  /** Requests to a conforming service, in the median. */
  readonly requests: number;
  readonly reported: number;
  readonly faults: number;
  /** The day of the proof. */
  readonly on: string;
}

/** The last whole proofs, which take too long to be repeated by a test. */
export const measuredProfiles: readonly MeasuredProfile[] = [
  { profile: 'quick', requests: 300, reported: 691, faults: 856, on: '2026-11-22' },
  { profile: 'standard', requests: 1_940, reported: 856, faults: 856, on: '2026-11-22' },
];
