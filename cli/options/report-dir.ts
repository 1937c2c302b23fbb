import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partOf } from '../../harness/evidence/evidence-writer.ts';
import type { Report } from '../../harness/model/report.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { serialiseReport } from '../../reporters/json/write-report.ts';

/** The one model of the run's result. */
export const reportName = 'report.json';
/** Every exchange of the run. */
export const evidenceName = 'evidence.har';
/** What vouches for both. */
export const certificateName = 'certificate.json';

/** Makes sure that a report can be written before anything is sent, and that an earlier one is not taken for it. */
export async function prepareReportDir(folder: string): Promise<void> {
  const probe = join(folder, '.writable');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    // The certificate first: without it, what is left of an earlier run claims nothing.
    for (const name of [certificateName, reportName, evidenceName, partOf(evidenceName)])
      await rm(join(folder, name), { force: true });
  } catch (error) {
    throw new UsageError({
      where: '--report-dir',
      what: `no report can be written to ${folder}`,
      why: (error as Error).message,
      remedy: 'name a folder that you may write to',
    });
  }
}

/** Writes report.json whole or not at all; gives its path, or says why it cannot be written. */
export async function writeReport(folder: string, report: Report): Promise<string | undefined> {
  const path = join(folder, reportName);
  const text = serialiseReport(report);
  try {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
    return path;
  } catch (error) {
    process.stderr.write(`error: the report could not be written: ${(error as Error).message}\n`);
    return undefined;
  }
}
