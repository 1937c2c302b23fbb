import { ReportFormatError } from '../../reporters/json/report-format-error.ts';
import { parseReport } from '../../reporters/json/write-report.ts';
import type { Report } from '../report/report.ts';
import { readTextFile } from '../target/read-text-file.ts';
import { UsageError } from '../usage-error.ts';

/** Reads a report.json that the user names; what is not a whole and valid one is the user's mistake. */
export async function readReport(path: string): Promise<Report> {
  const text = await readTextFile(path, 'report', 'have one written: commerce-conformance run');
  try {
    return parseReport(text);
  } catch (error) {
    if (!(error instanceof ReportFormatError)) throw error;
    throw new UsageError({
      where: path,
      what: error.message,
      remedy: 'name a report.json that a run has written',
    });
  }
}
