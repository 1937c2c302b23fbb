/** One fault or variant to prove at one seed. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly seed: number;
  /** Most of its time is spent waiting, so that many of them can be under way at once. */
  readonly waits: boolean;
}
