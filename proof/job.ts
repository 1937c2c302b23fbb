/** One fault or variant to prove at one seed. */
export interface Job {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly seed: number;
}
