import type { Profile } from '../../harness/sampling/profile.ts';

/** One fault or variant to prove at one seed. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly seed: number;
  readonly profile: Profile;
  /** Whether the evidence of a variant is verified too. */
  readonly verifies: boolean;
  /** The only check of the run; all if absent. */
  readonly check?: string;
  /** Most of its time is spent waiting, so that many of them can be under way at once. */
  readonly waits: boolean;
}
