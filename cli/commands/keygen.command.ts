import { mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { generateSigningKey, keyIdOf, readPublicKey } from '../../harness/certification/signing-key.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** `keygen`: a pair of keys for signing certificates. */
export function addKeygenCommand(program: Command): void {
  program
    .command('keygen')
    .description('make an Ed25519 pair to sign certificates with')
    .option('--out <dir>', 'where the two files go', '.')
    .addHelpText(
      'after',
      `
Example:
  commerce-conformance keygen --out keys
  commerce-conformance run --target target.yaml --certify --sign-key keys/certificate-private.pem`,
    )
    .action(async ({ out }: { readonly out: string }) => {
      const { privatePem, publicPem } = generateSigningKey();
      const privateFile = join(out, 'certificate-private.pem');
      const publicFile = join(out, 'certificate-public.pem');
      await writeNew(out, privateFile, privatePem, 0o600);
      try {
        await writeNew(out, publicFile, publicPem, 0o644);
      } catch (error) {
        await rm(privateFile, { force: true });
        throw error;
      }
      process.stdout.write(
        `${privateFile}  keep it secret: whoever has it can sign in your name\n` +
          `${publicFile}  give it to those who verify\n` +
          `key id ${keyIdOf(readPublicKey(publicPem, publicFile))}\n`,
      );
    });
}

/** Never overwrites: certificates hang on the key that is there. */
async function writeNew(folder: string, path: string, text: string, mode: number): Promise<void> {
  try {
    await mkdir(resolve(folder), { recursive: true });
    const file = await open(path, 'wx', mode);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new UsageError({
      where: '--out',
      what: exists ? `${path} is there already` : `${path} cannot be written`,
      ...(exists ? {} : { why: (error as Error).message }),
      remedy: exists
        ? 'name another folder; a key is never overwritten'
        : 'name a folder that you may write to',
    });
  }
}
