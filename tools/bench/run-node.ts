import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The time and memory that a process took, and its result. */
export interface Spent {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly seconds: number;
  /** Seconds of processor time, all threads together; undefined if the process was killed. */
  readonly cpuSeconds: number | undefined;
  readonly peakRssMb: number | undefined;
}

/** Where a process runs. */
export interface Circumstances {
  readonly cwd?: string;
  /** Beside the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Writes these figures to the fourth descriptor when the main thread ends. */
const meter = `
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakRssMb: maxRSS / 1024 }));
});`;

/** Runs a module in a Node.js process to its end, and measures it. */
export async function runNode(
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000 }: Circumstances = {},
): Promise<Spent> {
  const started = performance.now();
  const preload = `data:text/javascript,${encodeURIComponent(meter)}`;
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    timeout: timeoutMs,
  });
  const figures = child.stdio[3];
  const [stdout, measured, [exitCode]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(figures as NodeJS.ReadableStream),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const seconds = (performance.now() - started) / 1000;
  const { cpuSeconds, peakRssMb } = (measured === '' ? {} : JSON.parse(measured)) as Partial<Spent>;
  return { exitCode, stdout, seconds, cpuSeconds, peakRssMb };
}
