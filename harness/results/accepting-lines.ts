import { stringify } from 'yaml';
import type { Sighting } from './root-cause-defect.ts';

/** Lines of a target file that exclude the classes of values that show a defect; undefined where not all findings have one. */
export function excludeLines(sightings: readonly Sighting[]): string | undefined {
  const classes = new Set<string>();
  for (const { finding } of sightings) {
    if (finding.excludable === undefined) continue;
    for (const name of finding.excludable) classes.add(name);
  }
  if (classes.size === 0) return undefined;
  const reason = '<why the target cannot take these values>';
  return stringify({ exclude: [...classes].sort().map((name) => ({ class: name, reason })) }, flow).trimEnd();
}

/** Entries of a baseline that accept each finding once, for the person who fills in reason, owner and last day. */
export function acceptLines(sightings: readonly Sighting[], headline: string): string {
  const entries = new Map(
    sightings.map(({ result: { requirement, operation, check }, finding }) => [
      finding.id,
      {
        finding: finding.id,
        requirement,
        operation,
        check,
        reason: headline,
        owner: '<team>',
        expires: '<YYYY-MM-DD>',
      },
    ]),
  );
  return stringify({ accepted: [...entries.values()] }, flow).trimEnd();
}

const flow = { lineWidth: 0 } as const;
