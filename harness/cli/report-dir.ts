import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialiseReport } from '../../reporters/json/write-report.ts';
import type { Report } from '../report/report.ts';
import { UsageError } from '../usage-error.ts';

/** Makes sure that a report can be written before anything is sent. */
export async function prepareReportDir(folder: string): Promise<void> {
  const probe = join(folder, '.writable');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new UsageError({
      where: '--report-dir',
      what: `no report can be written to ${folder}`,
      why: (error as Error).message,
      remedy: 'name a folder that you may write to',
    });
  }
}

/** Writes report.json whole or not at all; gives its path. */
export async function writeReport(folder: string, report: Report): Promise<string> {
  const path = join(folder, 'report.json');
  await writeFile(`${path}.part`, serialiseReport(report));
  await rename(`${path}.part`, path);
  return path;
}
