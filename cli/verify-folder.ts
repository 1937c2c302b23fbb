import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificate, readCertificate } from '../harness/certification/read-certificate.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import type { Trust } from '../harness/engine/verify/certificate-trust.ts';
import {
  type CertifiedFiles,
  type Verification,
  verifyCertificate,
} from '../harness/engine/verify/verify-certificate.ts';
import { type ByteSource, bytesOfFile } from '../harness/evidence/byte-source.ts';
import { type Evidence, readEvidence } from '../harness/evidence/read-evidence.ts';
import { harnessIdentity } from '../harness/identity.ts';
import type { Report } from '../harness/model/report.ts';
import { RefusedFile, readBoundedFile } from '../harness/read-bounded-file.ts';
import { UsageError } from '../harness/usage-error.ts';
import { parseReport, serialiseReport } from '../reporters/json/write-report.ts';
import { certificateName, evidenceName, reportName } from './report-folder/report-dir.ts';

/** Bytes of the certificate and of the report; a longer one could not be held as one text. */
const mostOfTexts = 400 * 1024 * 1024;
/** Bytes of the evidence, which is read in pieces. */
const mostOfEvidence = 8 * 1024 * 1024 * 1024;

const certifiedNames: readonly string[] = [certificateName, reportName, evidenceName];

/** The keys and claims that a verification requires. */
export type Requirements = Omit<Trust, 'now'>;

/** Verifies the certificate of a report folder. */
export async function verifyFolder(folder: string, requirements: Requirements = {}): Promise<Verification> {
  let files: CertifiedFiles;
  try {
    files = await readCertifiedFolder(folder);
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    return { problems: [], unknowns: [error.message], remarks: [] };
  }
  const verification = await verifyFiles(files, requirements);
  const others = (await readdir(folder)).filter((name) => !certifiedNames.includes(name)).sort();
  if (others.length === 0) return verification;
  const remark = `the certificate does not cover the other files of the folder: ${others.join(', ')}`;
  return { ...verification, remarks: [...verification.remarks, remark] };
}

/** Verifies the certificate of files that were read. */
export async function verifyFiles(
  files: CertifiedFiles,
  requirements: Requirements,
  now: Date = new Date(),
): Promise<Verification> {
  return verifyCertificate(files, {
    catalogue: await loadCatalogue(),
    harness: harnessIdentity,
    readReport: parseReport,
    writeReport: serialiseReport,
    now,
    ...requirements,
  });
}

/** Opens the three files of a report folder; throws a `RefusedFile` where one is too large. */
export async function readCertifiedFolder(folder: string): Promise<CertifiedFiles> {
  const text = async (path: string): Promise<string> => decoded(await readBoundedFile(path, mostOfTexts));
  const bytes = (path: string): Promise<ByteSource> => bytesOfFile(path, mostOfEvidence);
  const certificate = await unlessMissing(join(folder, certificateName), text);
  const report = await unlessMissing(join(folder, reportName), text);
  const evidence = await unlessMissing(join(folder, evidenceName), bytes);
  if (certificate === undefined && report === undefined && evidence === undefined)
    throw new UsageError({
      where: folder,
      what: `there is no ${certificateName}, no ${reportName} and no ${evidenceName}`,
      remedy: 'name the folder that run --certify wrote',
    });
  return { certificate, report, evidence };
}

async function unlessMissing<T>(path: string, read: (path: string) => Promise<T>): Promise<T | undefined> {
  try {
    return await read(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EFBIG') throw new RefusedFile(code, `${path}: ${message}`);
    throw new UsageError({ where: path, what: 'cannot be read', why: message });
  }
}

/** Bytes that are not UTF-8 are decoded one by one, so that they remain distinct from any valid text. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
interface CertifiedFolder {
  readonly certificate: Certificate;
  readonly report: Report;
  readonly evidence: Evidence;
  readonly verification: Verification;
}

/** Reads a folder whose certificate is valid at any level; refuses all others. */
export async function readCertified(folder: string, requirements: Requirements): Promise<CertifiedFolder> {
  const files = await readCertifiedFolder(folder).catch((error: Error) => {
    throw error instanceof RefusedFile ? new UsageError({ where: folder, what: error.message }) : error;
  });
  const verification = await verifyFiles(files, requirements);
  const [defect] = [...verification.problems, ...verification.unknowns];
  if (defect !== undefined)
    throw new UsageError({
      where: folder,
      what: 'the certificate is not valid',
      why: defect,
      remedy: `see all of it: npx commerce-conformance verify ${folder}`,
    });
  const certificate = readCertificate(files.certificate ?? '');
  if (files.evidence === undefined) throw new Error('verified evidence cannot be read');
  const evidence = await readEvidence(files.evidence);
  return { certificate, report: parseReport(files.report ?? ''), evidence, verification };
}
