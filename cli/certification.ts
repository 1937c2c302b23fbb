import type { KeyObject } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  mostDays,
  obstacles,
  shortcomings,
  type Undertaking,
  usualDays,
} from '../harness/certification/certifiable.ts';
import { enclose, serialiseEnvelope } from '../harness/certification/envelope.ts';
import { readPrivateKey } from '../harness/certification/signing-key.ts';
import { signerOf, statementOf } from '../harness/certification/statement.ts';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import { verifyCertificate } from '../harness/engine/verify-certificate.ts';
import type { EvidenceRun } from '../harness/evidence/evidence-format.ts';
import { readEvidence } from '../harness/evidence/read-evidence.ts';
import { sha256 } from '../harness/evidence/target-summary.ts';
import { harnessIdentity } from '../harness/identity.ts';
import type { Report } from '../harness/model/report.ts';
import type { Target } from '../harness/model/target.ts';
import { readTextFile } from '../harness/read-text-file.ts';
import { UsageError } from '../harness/usage-error.ts';
import { parseReport, serialiseReport } from '../reporters/json/write-report.ts';
import { certificateName, evidenceName, reportName } from './options/report-dir.ts';

/** Bytes of a file of the report folder; a longer one could not be held as one text. */
const largestWritten = 400 * 1024 * 1024;

/** The flags of `run` that only mean something with `--certify`. */
export interface CertificationFlags {
  readonly evidence: boolean;
  readonly signKey?: string;
  readonly certificateDays?: number;
}

/** How a certificate is to be made. */
export interface Certification {
  readonly days: number;
  readonly signKey: KeyObject | undefined;
}

/** What is needed for a certificate, or undefined where none is asked for; refuses before anything is sent what could not lead to one. */
export async function readCertification(
  flags: CertificationFlags,
  {
    options,
    target,
    given,
  }: {
    readonly options: Undertaking['options'] & { readonly certify: boolean };
    readonly target: Pick<Target, 'exclusions'>;
    readonly given: Undertaking['given'];
  },
): Promise<Certification | undefined> {
  const { signKey, certificateDays: days = usualDays } = flags;
  if (!options.certify) {
    const useless = signKey !== undefined ? '--sign-key' : '--certificate-days';
    if (signKey === undefined && flags.certificateDays === undefined) return undefined;
    throw new UsageError({
      where: useless,
      what: 'no certificate is asked for',
      remedy: 'add --certify, or leave it out',
    });
  }
  const inTheWay = obstacles({ options, exclusions: target.exclusions, given });
  if (!flags.evidence) inTheWay.push('--no-evidence leaves nothing to verify');
  if (inTheWay.length > 0) {
    throw new UsageError({
      where: '--certify',
      what: 'a certificate leaves nothing out and accepts no finding',
      why: inTheWay.join('\n  '),
      remedy: 'run without that, or without --certify',
    });
  }
  if (days > mostDays) {
    throw new UsageError({
      where: '--certificate-days',
      what: `a certificate is valid for at most ${mostDays} days`,
      remedy: 'give a smaller number, and certify again in time',
    });
  }
  return { days, signKey: signKey === undefined ? undefined : await readSignKey(signKey) };
}

async function readSignKey(file: string): Promise<KeyObject> {
  return readPrivateKey(
    await readTextFile(file, 'key file of --sign-key', 'ask whoever issued it'),
    '--sign-key',
  );
}

/**
 * Writes certificate.json where the report deserves it, whole or not at all. Gives what is to be said of it, and
 * whether it is there.
 */
export async function writeCertificate(
  folder: string,
  report: Report,
  { days, signKey }: Certification,
): Promise<{ readonly written: boolean; readonly says: string }> {
  const reasons = shortcomings(report);
  if (reasons.length > 0) return { written: false, says: `No certificate: ${reasons.join('; ')}.` };
  const path = join(folder, certificateName);
  try {
    const [reportText, evidenceText] = await Promise.all([
      readTextFile(join(folder, reportName), 'report', 'run again', largestWritten),
      readTextFile(join(folder, evidenceName), 'evidence', 'run again', largestWritten),
    ]);
    const issued = new Date();
    const statement = statementOf({
      report,
      run: runOf(evidenceText),
      digests: { report: sha256(reportText), evidence: sha256(evidenceText) },
      issuedAt: issued.toISOString(),
      expiresAt: new Date(issued.getTime() + days * 86_400_000).toISOString(),
      ...(signKey === undefined ? {} : { signer: signerOf(signKey) }),
    });
    const certificate = serialiseEnvelope(enclose(JSON.stringify(statement), signKey));
    // What would not stand up to distrust is better not given out.
    const { problems, unknowns } = verifyCertificate(
      { certificate, report: reportText, evidence: evidenceText },
      {
        catalogue: await loadCatalogue(),
        harness: harnessIdentity,
        readReport: parseReport,
        writeReport: serialiseReport,
        now: new Date(),
      },
    );
    const [problem] = [...problems, ...unknowns];
    if (problem !== undefined)
      return { written: false, says: `No certificate: it would not hold: ${problem}` };
    await writeFile(`${path}.part`, certificate);
    await rename(`${path}.part`, path);
    const { signer, expiresAt } = statement.predicate;
    const who = signer === undefined ? 'unsigned' : `signed by ${signer.keyid}`;
    return { written: true, says: `Certificate: ${path}, ${who}, valid until ${expiresAt.slice(0, 10)}` };
  } catch (error) {
    await rm(`${path}.part`, { force: true });
    return { written: false, says: `No certificate: it could not be written: ${(error as Error).message}` };
  }
}

function runOf(evidenceText: string): EvidenceRun {
  const read = readEvidence(evidenceText);
  if (!read.ok) throw new Error(`${evidenceName} ${read.problems.join('; ')}`);
  return read.log.run;
}
