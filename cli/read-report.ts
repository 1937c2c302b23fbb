import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../harness/model/report.ts';
import { readTextFile } from '../harness/read-text-file.ts';
import { withFreshReproductions } from '../harness/results/fresh-reproductions.ts';
import { UsageError } from '../harness/usage-error.ts';
import { parseReport, ReportFormatError } from '../reporters/json/write-report.ts';

/** Bytes of a report; a longer one could not be held as one text. */
const largestReport = 400 * 1024 * 1024;

/** The report.json that a user means by a file or by the folder that holds it. */
export async function reportFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? join(path, 'report.json') : path;
}

/** Reads a report, named by its file or its folder; an incomplete or invalid one is the user's mistake. */
export async function readReport(path: string): Promise<Report> {
  const file = await reportFile(path);
  const text = await readTextFile(file, 'report', 'create one: npx commerce-conformance run', largestReport);
  try {
    return withFreshReproductions(parseReport(text));
  } catch (error) {
    if (!(error instanceof ReportFormatError)) throw error;
    throw new UsageError({
      where: file,
      what: error.message,
      remedy: 'name a report.json that a run has written',
    });
  }
}
