import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfFile } from '../../harness/evidence/byte-source.ts';
import type { Report } from '../../harness/model/report.ts';
import { partOf, removeParts, writeAtomically } from '../../harness/write-atomically.ts';
import { serialiseReport } from '../../reporters/json/write-report.ts';
import { unwritable } from './lock-report-dir.ts';
import { refuseForeign } from './write-views.ts';

/** The one model of the run's result. */
export const reportName = 'report.json';
/** Every exchange of the run. */
export const evidenceName = 'evidence.har';
/** The certificate, which vouches for both. */
export const certificateName = 'certificate.json';

const names = [certificateName, reportName, evidenceName];
/** Name of an incomplete folder for a kept certificate. */
const keptPart = 'certified';

/**
 * Makes sure that an earlier report is not mistaken for the new one. A certificate is moved to a separate folder with the
 * two files that it vouches for. The folder must be locked.
 */
export async function prepareReportDir(folder: string): Promise<void> {
  await refuseForeign(folder, names, '--report-dir');
  try {
    await removeParts(folder, [...names, keptPart]);
    await keepCertificate(folder);
    for (const name of names) await rm(join(folder, name), { force: true });
  } catch (error) {
    throw unwritable(folder, '--report-dir', error);
  }
}

/**
 * Moves a certificate with its files to a separate folder. The folder appears complete, and only then do the files
 * disappear from their old place: even if the process is killed, all three are together somewhere.
 */
async function keepCertificate(folder: string): Promise<void> {
  const certificate = join(folder, certificateName);
  const found = await stat(certificate).catch(() => undefined);
  if (found === undefined || found.size === 0) return;
  const day = found.mtime.toISOString().slice(0, 19).replaceAll(':', '');
  let kept = join(folder, `certified-${day}Z`);
  for (let count = 2; existsSync(kept); count += 1) {
    // A process that was killed has kept it already.
    if (await isSame(certificate, join(kept, certificateName))) return;
    kept = join(folder, `certified-${day}Z-${count}`);
  }
  const part = partOf(join(folder, keptPart));
  await mkdir(part);
  for (const name of names)
    if (existsSync(join(folder, name))) await linkOrCopy(join(folder, name), join(part, name));
  await rename(part, kept);
  process.stderr.write(`The earlier certificate and its files are now in ${kept}\n`);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Not every file system has hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => digestOfFile(path).catch(() => undefined)));
  return a !== undefined && a === b;
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
