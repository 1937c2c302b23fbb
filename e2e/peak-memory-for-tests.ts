import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'peak-memory';

/**
 * Runs in the child before all else and notes its peak when it ends. Not `maxRSS`: on Linux that counts what the parent
 * held when it started the child.
 */
const preload = `
import { isMainThread } from 'node:worker_threads';
import { readFileSync, writeFileSync } from 'node:fs';
const peak = () => {
  try {
    return 1024 * Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return 1024 * process.resourceUsage().maxRSS;
  }
};
if (isMainThread) process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peak())));
`;

/** An environment in which a process of Node leaves behind how much memory it had at its peak. */
export function withPeakMemory(folder: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    PEAK_MEMORY_FILE: join(folder, fileName),
  };
}

/** What that process left behind, in bytes. */
export async function peakMemory(folder: string): Promise<number> {
  return Number(await readFile(join(folder, fileName), 'utf8'));
}
