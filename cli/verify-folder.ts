import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { loadCatalogue } from '../harness/checks/catalogue.ts';
import {
  type CertifiedFiles,
  type Verification,
  verifyCertificate,
} from '../harness/engine/verify-certificate.ts';
import { harnessIdentity } from '../harness/identity.ts';
import { RefusedFile, readBoundedFile } from '../harness/read-bounded-file.ts';
import { UsageError } from '../harness/usage-error.ts';
import { parseReport, serialiseReport } from '../reporters/json/write-report.ts';
import { certificateName, evidenceName, reportName } from './options/report-dir.ts';

/** Bytes of a file that are read at the most; a longer one could not be held as one text. */
const mostBytes = 400 * 1024 * 1024;

/** Verifies the certificate of a report folder; where a public key is given, it must have signed. */
export async function verifyFolder(folder: string, publicKey?: KeyObject): Promise<Verification> {
  const files = await readFolder(folder);
  if ('tooLarge' in files) return { problems: [], unknowns: [files.tooLarge], remarks: [] };
  return verifyCertificate(files, {
    catalogue: await loadCatalogue(),
    harness: harnessIdentity,
    readReport: parseReport,
    writeReport: serialiseReport,
    now: new Date(),
    ...(publicKey === undefined ? {} : { publicKey }),
  });
}

async function readFolder(folder: string): Promise<CertifiedFiles | { readonly tooLarge: string }> {
  const texts: Array<string | undefined> = [];
  for (const name of [certificateName, reportName, evidenceName]) {
    const text = await readText(join(folder, name));
    if (text === 'too large') return { tooLarge: `${name} is larger than is read, ${mostBytes} bytes` };
    texts.push(text?.text);
  }
  if (texts.every((text) => text === undefined)) {
    throw new UsageError({
      where: folder,
      what: `there is no ${certificateName}, no ${reportName} and no ${evidenceName}`,
      remedy: 'name the folder that run --certify wrote',
    });
  }
  const [certificate, report, evidence] = texts;
  return { certificate, report, evidence };
}

async function readText(path: string): Promise<{ readonly text: string } | 'too large' | undefined> {
  try {
    return { text: decoded(await readBoundedFile(path, mostBytes)) };
  } catch (error) {
    if (error instanceof RefusedFile && error.code === 'EFBIG') return 'too large';
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError({ where: path, what: 'cannot be read', why: (error as Error).message });
  }
}

/** Bytes that are no UTF-8 are taken one by one, so that they stay different from all that could be meant. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
