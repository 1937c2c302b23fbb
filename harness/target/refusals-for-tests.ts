import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from '../model/target.ts';
import { UsageError } from '../usage-error.ts';
import { contractForTests } from './contract-for-tests.ts';
import { readTargetFile } from './target-document.ts';

const env = {
  COMMERCE_KEY: 'sk-scoped',
  COMMERCE_KEY_UNSCOPED: 'sk-plain',
  GATEWAY_TOKEN: 'sk-gateway',
  EMPTY: '',
  RATE: '2.5',
  CONTROL: 'a\u0000b',
};

/** Reads a text as a target file of this name, in a folder of its own. */
export async function readText(text: string | Uint8Array, name = 'target.yaml'): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'target-file-'));
  try {
    await writeFile(join(folder, name), text);
    return await readFrom(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads a target file with an environment that holds the usual keys. */
export function readFrom(path: string): Promise<Target> {
  return readTargetFile(path, env, contractForTests);
}

/** The message of the UsageError with which a reading must end, without the folder of the file. */
export async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw error;
  return error.message.replaceAll(/\/[^\s:]*\/target-file-\w+\//g, '');
}
