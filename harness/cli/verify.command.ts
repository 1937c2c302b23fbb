import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parseReport, serialiseReport } from '../../reporters/json/write-report.ts';
import { escapeText } from '../../reporters/terminal/escape.ts';
import { readPublicKey } from '../certificate/signing-key.ts';
import {
  type CertifiedFiles,
  type Verification,
  verifyCertificate,
} from '../certificate/verify-certificate.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { harnessIdentity } from '../running/run.ts';
import { UsageError } from '../usage-error.ts';
import { certificateName, evidenceName, reportName } from './report-dir.ts';
import type { SetExitCode } from './set-exit-code.ts';

/** Bytes of a file that are read at the most; a longer one could not be held as one text. */
const mostBytes = 400 * 1024 * 1024;
/** Lines about what does not hold. */
const mostLines = 40;
const widest = 400;

/** `verify`: whether a certificate holds, told offline from the files of a report folder. */
export function addVerifyCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('verify')
    .description(
      'judge the recorded evidence of a certificate again, and check all that it says; sends nothing',
    )
    .argument('<dir>', 'folder with certificate.json, report.json and evidence.har')
    .option('--public-key <file>', 'PEM file of the public key that must have signed')
    .addHelpText(
      'after',
      `
Example:
  commerce-conformance verify conformance-report --public-key certificate-public.pem

Exit codes: 0 it holds, 1 it does not, 2 usage, 3 cannot be told by this version.`,
    )
    .action(async (folder: string, flags: { readonly publicKey?: string }) => {
      const publicKey = flags.publicKey === undefined ? undefined : await readKeyFile(flags.publicKey);
      const files = await readFolder(folder);
      const verification =
        'tooLarge' in files
          ? { problems: [], unknowns: [files.tooLarge], remarks: [] }
          : verifyCertificate(files, {
              catalogue: await loadCatalogue(),
              harness: harnessIdentity,
              readReport: parseReport,
              writeReport: serialiseReport,
              now: new Date(),
              ...(publicKey === undefined ? {} : { publicKey }),
            });
      process.stdout.write(inWords(verification));
      setExitCode(verification.problems.length > 0 ? 1 : verification.unknowns.length > 0 ? 3 : 0);
    });
}

function inWords({ problems, unknowns, remarks }: Verification): string {
  const list = (lines: readonly string[]): string =>
    [
      ...lines.slice(0, mostLines).map((line) => `  ${escapeText(line, widest)}\n`),
      ...(lines.length > mostLines ? [`  and ${lines.length - mostLines} more\n`] : []),
    ].join('');
  if (problems.length > 0) return `The certificate does not hold:\n${list([...problems, ...unknowns])}`;
  if (unknowns.length > 0) return `It cannot be told whether the certificate holds:\n${list(unknowns)}`;
  return `The certificate holds.\n${list(remarks)}`;
}

async function readKeyFile(file: string): Promise<ReturnType<typeof readPublicKey>> {
  try {
    return readPublicKey(await readFile(file, 'utf8'), '--public-key');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError({
      where: '--public-key',
      what: `cannot read ${file}`,
      why: (error as Error).message,
    });
  }
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
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > mostBytes) return 'too large';
      return { text: decoded(await file.readFile()) };
    } finally {
      await file.close();
    }
  } catch (error) {
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
