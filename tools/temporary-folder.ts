import { mkdtempSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOfProcess } from '../harness/process-identity.ts';

/** Milliseconds in which files that are being written as the process exits appear. */
const lastWritesMs = 30;

const prefix = 'commerce-conformance-';

/** A temporary folder that also goes when the process exits early. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Makes a temporary folder, and removes those that killed processes left behind. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  await removeLeftovers();
  const start = (startOfProcess(process.pid) ?? '').replaceAll(/[^a-z0-9]/gi, '');
  // The process may exit at any moment: nothing may come between the folder and the listener that removes it.
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${start}-`));
  const removeAtExit = (): void => {
    rmSync(path, { recursive: true, force: true });
    // Other threads may be about to write a file.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lastWritesMs);
    rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', removeAtExit);
  return {
    path,
    remove: async () => {
      process.removeListener('exit', removeAtExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid, start] = /^commerce-conformance-(\d+)-([a-zA-Z0-9]*)-.{6}$/.exec(name) ?? [];
    if (pid === undefined || startOfProcess(Number(pid))?.replaceAll(/[^a-z0-9]/gi, '') === start) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
