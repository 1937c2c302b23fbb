import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Sighting } from './root-cause-defect.ts';

const load = createRequire(import.meta.url);

/** Lines of a target file that exclude the classes of values that show a defect; undefined where not all findings have one. */
export function excludeLines(sightings: readonly Sighting[]): string | undefined {
  const classes = new Set<string>();
  for (const { finding } of sightings) {
    if (finding.excludable === undefined) continue;
    for (const name of finding.excludable) classes.add(name);
  }
  if (classes.size === 0) return undefined;
  const reason = '<why the target cannot take these values>';
  return lines({ exclude: [...classes].sort().map((name) => ({ class: name, reason })) });
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
        ...(finding.triggers === undefined ? {} : { triggers: finding.triggers }),
        reason: headline,
        owner: '<team>',
        expires: '<YYYY-MM-DD>',
      },
    ]),
  );
  return lines({ accepted: [...entries.values()] });
}

/** YAML without a line feed at its end. */
function lines(value: object): string {
  // Slow to load, and of no use to a run that finds nothing.
  const { stringify } = load('yaml') as typeof Yaml;
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
