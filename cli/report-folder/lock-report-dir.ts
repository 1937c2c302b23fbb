import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startOfProcess } from '../../harness/process-identity.ts';
import { readBoundedFile } from '../../harness/read-bounded-file.ts';
import { tried } from '../../harness/tried.ts';
import { UsageError } from '../../harness/usage-error.ts';
import { removeAllParts } from '../../harness/write-atomically.ts';

/** Name of the lock in a report folder. */
export const lockName = '.commerce-conformance.lock';
interface Holder {
  readonly pid: number;
  /** A later process may have the same id. */
  readonly start: string | undefined;
  readonly host: string;
}

/** Milliseconds between two touches, and after which an untouched lock of another machine counts as left behind. */
const touchInterval = 5_000;
const patience = 60_000;
/** Milliseconds until a process looks again whether another one has removed a lock that was left behind. */
const guardInterval = 20;

/**
 * Creates a report folder where there is none and reserves it for this process; call the result to release it. A process
 * that exits before removes its incomplete files. A lock that a killed process left behind is replaced. Throws a `UsageError` naming the flag `where`.
 */
export async function lockReportDir(folder: string, where: string): Promise<() => Promise<void>> {
  const path = join(folder, lockName);
  const { pid } = process;
  const own: Holder = { pid, start: startOfProcess(pid), host: hostname() };
  const text = JSON.stringify({ ...own, token: randomBytes(16).toString('hex') });
  try {
    await mkdir(folder, { recursive: true });
    await create(path, text, folder, where);
  } catch (error) {
    throw unwritable(folder, where, error);
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, touchInterval).unref();
  // The folder may have been deleted.
  const removeOwn = (): void => {
    if (tried(readFileSync, path)?.toString() === text) tried(rmSync, path);
  };
  const removeAtExit = (): void => {
    tried(removeAllParts, folder);
    removeOwn();
  };
  process.once('exit', removeAtExit);
  return async () => {
    clearInterval(touching);
    process.removeListener('exit', removeAtExit);
    removeOwn();
  };
}

/** The mistake of naming a folder that no report can be written to; a mistake that is already named stays. */
export function unwritable(folder: string, where: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError({
    where,
    what: `no report can be written to ${folder}`,
    why: (error as Error).message,
    remedy: 'name a folder that you may write to, and in which the names of the reports are free',
  });
}

async function create(path: string, text: string, folder: string, where: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      // Synchronously, so that no signal arrives between taking the lock and registering its removal.
      writeFileSync(path, text, { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = await readBoundedFile(path, 4096).then(String, (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (found === undefined) continue;
    const holder = await holderOf(found, path);
    if (holder !== undefined) {
      throw new UsageError({
        where,
        what: `another run is writing to ${folder}`,
        why: `process ${holder.pid} on ${holder.host} holds ${path}`,
        remedy: 'wait until it ends, or name another folder',
      });
    }
    await removeStale(path, found);
  }
  throw new Error('other processes keep locking it');
}

/** The holder of the lock; undefined if the process ended without releasing it. */
async function holderOf(text: string, path: string): Promise<Holder | undefined> {
  const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
  const holder = parsed(text);
  // Another process may be about to write its name.
  if (holder === undefined) return age < 2_000 ? { pid: 0, start: '', host: 'this machine' } : undefined;
  if (holder.host !== hostname()) return age < patience ? holder : undefined;
  return startOfProcess(holder.pid) === holder.start && holder.start !== undefined ? holder : undefined;
}

function parsed(text: string): Holder | undefined {
  const { pid, start, host }: Partial<Record<keyof Holder, unknown>> = Object(tried(JSON.parse, text));
  if (typeof pid !== 'number' || !Number.isInteger(pid) || typeof host !== 'string') return undefined;
  return { pid, start: typeof start === 'string' ? start : undefined, host };
}

/** One process at a time: while another one looks and removes, the lock could become that of a third. */
async function removeStale(path: string, stale: string): Promise<void> {
  const guard = `${path}.stale`;
  try {
    writeFileSync(guard, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = await stat(guard).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > patience) await rm(guard, { force: true });
    else await setTimeout(guardInterval);
    return;
  }
  try {
    if (String(await readBoundedFile(path, 4096)) === stale) await rm(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(guard, { force: true });
  }
}
