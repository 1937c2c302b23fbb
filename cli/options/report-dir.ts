import { access, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../harness/model/report.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { removeParts, writeAtomically } from '../../harness/write-atomically.ts';
import { serialiseReport } from '../../reporters/json/write-report.ts';
import { refuseForeignFiles } from '../refuse-foreign-files.ts';

/** The one model of the run's result. */
export const reportName = 'report.json';
/** Every exchange of the run. */
export const evidenceName = 'evidence.har';
/** What vouches for both. */
export const certificateName = 'certificate.json';

const names = [certificateName, reportName, evidenceName];

/**
 * Makes sure that an earlier report is not taken for the new one. A certificate is moved to a folder of its own with the
 * two files that it vouches for. The folder must be locked.
 */
export async function prepareReportDir(folder: string): Promise<void> {
  await refuseForeignFiles(folder, names, '--report-dir');
  try {
    await removeParts(folder, names);
    await keepCertificate(folder);
    for (const name of names) await rm(join(folder, name), { force: true });
  } catch (error) {
    throw new UsageError({
      where: '--report-dir',
      what: `no report can be written to ${folder}`,
      why: (error as Error).message,
      remedy: 'name a folder that you may write to',
    });
  }
}

async function keepCertificate(folder: string): Promise<void> {
  const certificate = join(folder, certificateName);
  const found = await stat(certificate).catch(() => undefined);
  if (found === undefined || found.size === 0) return;
  const day = found.mtime.toISOString().slice(0, 19).replaceAll(':', '');
  let kept = join(folder, `certified-${day}Z`);
  for (let count = 2; await exists(kept); count += 1) kept = join(folder, `certified-${day}Z-${count}`);
  await mkdir(kept);
  for (const name of names) {
    if (await exists(join(folder, name))) await rename(join(folder, name), join(kept, name));
  }
  process.stderr.write(`The earlier certificate and its files are now in ${kept}\n`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Writes report.json whole or not at all; gives its path, or says why it cannot be written. */
export async function writeReport(folder: string, report: Report): Promise<string | undefined> {
  const path = join(folder, reportName);
  const text = serialiseReport(report);
  try {
    await writeAtomically(path, text);
    return path;
  } catch (error) {
    process.stderr.write(`error: the report could not be written: ${(error as Error).message}\n`);
    return undefined;
  }
}
