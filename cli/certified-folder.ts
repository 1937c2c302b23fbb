import { type ReadCertificate, readCertificate } from '../harness/certification/read-certificate.ts';
import type { Verification } from '../harness/engine/verify-certificate.ts';
import { type Evidence, readEvidence } from '../harness/evidence/read-evidence.ts';
import type { Report } from '../harness/model/report.ts';
import { UsageError } from '../harness/usage-error.ts';
import { parseReport } from '../reporters/json/write-report.ts';
import { type Requirements, readCertifiedFolder, verifyFiles } from './verify-folder.ts';

/** A report folder with a valid certificate. */
export interface CertifiedFolder {
  readonly certificate: Extract<ReadCertificate, { readonly ok: true }>;
  readonly report: Report;
  readonly evidence: Evidence;
  readonly verification: Verification;
}

/** Reads a folder whose certificate is valid, at whatever level; refuses all others. */
export async function readCertified(folder: string, requirements: Requirements): Promise<CertifiedFolder> {
  const files = await readCertifiedFolder(folder);
  if ('tooLarge' in files) throw new UsageError({ where: folder, what: files.tooLarge });
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
  if (!certificate.ok || files.evidence === undefined)
    throw new Error('a verified certificate cannot be read');
  const evidence = await readEvidence(files.evidence);
  return { certificate, report: parseReport(files.report ?? ''), evidence, verification };
}
