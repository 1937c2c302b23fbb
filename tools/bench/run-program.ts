import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What a process that has ended took. */
export interface Spent {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** Of a Node.js process: seconds of processor time, all threads together. */
  readonly cpuSeconds: number | undefined;
  /** Of a Node.js process: the most that was resident. */
  readonly peakRssMb: number | undefined;
}

/** Reports on the fourth descriptor what the process took, when its main thread ends. */
const meter = `
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakRssMb: maxRSS / 1024 }));
});`;

/** Runs a program to its end, which is awaited for at most so many milliseconds. */
export async function runProgram(
  file: string,
  args: readonly string[],
  {
    cwd,
    env,
    timeoutMs = 600_000,
  }: {
    readonly cwd?: string;
    /** Beside the variables of this process. */
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  } = {},
): Promise<Spent> {
  const started = performance.now();
  const child = spawn(file, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
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

/** Runs a module in a Node.js process of its own that says what it took. */
export function runNode(
  args: readonly string[],
  options: Parameters<typeof runProgram>[2] = {},
): Promise<Spent> {
  const preload = `data:text/javascript,${encodeURIComponent(meter)}`;
  return runProgram(process.execPath, ['--import', preload, ...args], options);
}
