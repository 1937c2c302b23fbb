import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Planned } from '../../harness/sampling/profile.ts';

/** Waits of cases that other cases fill, each longer than time-outs that services have: 5 and 10 seconds, and 30. */
const waits: ReadonlyArray<Planned & { readonly ms: number }> = [
  { ms: 10_200 },
  { weight: 'low', ms: 31_000 },
];

/** Waits, while other cases call, until it is late for what was issued or ended before. */
export function untilLate(client: CaseClient): Promise<void> {
  return client.pause(Math.max(...client.chosen(waits).map(({ ms }) => ms)));
}
