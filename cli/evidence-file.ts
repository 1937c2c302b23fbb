import { basename, dirname } from 'node:path';
import type { EvidenceOutcome } from '../harness/evidence/evidence-writer.ts';
import type { Report } from '../harness/model/report.ts';
import { removeParts } from '../harness/write-atomically.ts';

/** Whether the evidence of a run is missing, which is then said; what was begun of it is taken away. */
export async function missesEvidence(
  path: string,
  outcome: EvidenceOutcome | undefined,
  { run }: Pick<Report, 'run'>,
): Promise<boolean> {
  if (outcome?.written === true) return false;
  await removeParts(dirname(path), [basename(path)]);
  // Who interrupts a run knows that it is not whole.
  if (outcome === undefined && run.interrupted) return true;
  const why = outcome === undefined ? 'the run did not come to its end' : outcome.why;
  process.stderr.write(`error: the evidence could not be written to ${path}: ${why}\n`);
  return true;
}
