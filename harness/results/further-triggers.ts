import type { Finding } from '../model/report.ts';

type Triggers = Pick<Finding, 'triggers'>;

/** What shows a finding now and did not before; empty where either side cannot tell. */
export function furtherTriggers(
  { triggers: known }: Triggers,
  { triggers: now }: Triggers,
): readonly string[] {
  if (known === undefined || now === undefined) return [];
  return now.filter((trigger) => !known.includes(trigger));
}
