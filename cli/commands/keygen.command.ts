import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSigningKey, keyIdOf, readPublicKey } from '../../harness/certification/signing-key.ts';
import type { CommandFlags } from '../../spec/command-options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { writeNewFile } from '../write-new-file.ts';

/** `keygen`: a pair of keys for signing certificates. */
export const command: CommandDefinition = {
  after: `Example:
  npx commerce-conformance keygen --out keys
  npx commerce-conformance run --target target.yaml --certify --sign-key keys/certificate-private.pem`,
  run: keygen,
};

async function keygen({ out }: CommandFlags<'keygen'>): Promise<void> {
  const { privatePem, publicPem } = generateSigningKey();
  const privateFile = join(out, 'certificate-private.pem');
  const publicFile = join(out, 'certificate-public.pem');
  await writeNewFile(privateFile, privatePem, { mode: 0o600 });
  try {
    await writeNewFile(publicFile, publicPem, { mode: 0o644 });
  } catch (error) {
    await rm(privateFile, { force: true });
    throw error;
  }
  process.stdout.write(
    `${privateFile}  keep it secret: anyone who has it can sign in your name\n` +
      `${publicFile}  share it with your verifiers\n` +
      `key id ${keyIdOf(readPublicKey(publicPem, publicFile))}\n`,
  );
}
