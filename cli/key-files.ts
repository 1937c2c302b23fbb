import type { KeyObject } from 'node:crypto';
import { readPrivateKey, readPublicKey } from '../harness/certification/signing-key.ts';
import { readTextFile } from '../harness/read-text-file.ts';

/** The private key in the file that a flag names. */
export async function readSigningKeyFile(file: string, flag: string): Promise<KeyObject> {
  return readPrivateKey(await textOf(file, flag), flag);
}

/** The public key in the file that a flag names; undefined without the flag. */
export async function readPublicKeyFile(
  file: string | undefined,
  flag: string,
): Promise<KeyObject | undefined> {
  return file === undefined ? undefined : readPublicKey(await textOf(file, flag), flag);
}

function textOf(file: string, flag: string): Promise<string> {
  return readTextFile(file, `key file of ${flag}`, 'ask whoever issued it');
}
