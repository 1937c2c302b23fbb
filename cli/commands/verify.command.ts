import type { Command } from 'commander';
import { readPublicKey } from '../../harness/certification/signing-key.ts';
import type { Verification } from '../../harness/engine/verify-certificate.ts';
import { readTextFile } from '../../harness/read-text-file.ts';
import { escapeText } from '../../reporters/model/escape.ts';
import type { SetExitCode } from '../set-exit-code.ts';
import { verifyFolder } from '../verify-folder.ts';

/** Lines about what does not hold. */
const mostLines = 40;
const widest = 400;

/** `verify`: whether a certificate holds, told offline from the files of a report folder. */
export function addVerifyCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('verify')
    .description(
      'evaluate the recorded evidence of a certificate again, and check every claim; sends nothing',
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
      const verification = await verifyFolder(folder, publicKey);
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
  return readPublicKey(
    await readTextFile(file, 'key file of --public-key', 'ask whoever issued it'),
    '--public-key',
  );
}
