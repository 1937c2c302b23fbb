import type { Count, Text } from '../model/formats.ts';

/** What of its run, and not of its own responses, ends an attempt: no requests are left, the target throttles, or an operation answers nothing. */
export interface Outside {
  readonly kind: 'budget' | 'throttling' | 'time-out';
  /** For how long the target had throttled. */
  readonly seconds?: Count;
  /** The operation that did not answer in time. */
  readonly operation?: Text;
}

/** What reports say of it. */
export function reasonOf({ kind, seconds, operation }: Outside): string {
  if (kind === 'budget') return 'the remaining request budget has no room for it';
  if (kind === 'throttling') return `the target has throttled for ${seconds} s`;
  return `${operation} did not answer in time`;
}
