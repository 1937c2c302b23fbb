import { fork } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import type { Told } from './worker.ts';

/** Milliseconds and bytes that a mutant may take; alone, those of the processor, because neighbours slow it down. */
const longestMs = 10_000;
/** Milliseconds after which a mutant hangs, whatever the machine does beside it. */
const hangingMs = 60_000;
const mostMemory = 500 * 1024 * 1024;

/** A mutant that brought about what no input may. */
export interface Finding {
  readonly number: number;
  readonly objections: readonly string[];
}

/** The mutants' source. */
export interface Input {
  /** Path of the file of originals. */
  readonly originals: string;
  readonly seed: number;
  /** Where their temporary files go. */
  readonly folder: string;
}

/** Runs mutants in a process of their own; those that hang, crash or need much memory are tried again alone. */
export async function runMutants(
  numbers: readonly number[],
  input: Input,
  onEnd: (number: number, ms: number) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let rest = numbers;
  while (rest.length > 0) {
    const { ended, suspect } = await runUntilSuspect(
      rest,
      input,
      (told, ms) => {
        if (told.objections.length > 0) findings.push(told);
        onEnd(told.number, ms);
      },
      longestMs,
    );
    rest = rest.slice(ended);
    if (suspect === undefined) continue;
    if (rest[0] === suspect) rest = rest.slice(1);
    const alone = await runUntilSuspect([suspect], input, () => undefined, hangingMs);
    if (alone.why !== undefined) findings.push({ number: suspect, objections: [alone.why] });
    onEnd(suspect, 0);
  }
  return findings;
}

interface Batch {
  /** Mutants that ended. */
  readonly ended: number;
  readonly suspect?: number;
  readonly why?: string;
}

function runUntilSuspect(
  numbers: readonly number[],
  { originals, seed, folder }: Input,
  onEnd: (finding: Finding, ms: number) => void,
  patienceMs: number,
): Promise<Batch> {
  const worker = fork(
    join(packageRoot, 'dist/tools/mutants/worker.js'),
    [originals, String(seed), ...numbers.map(String)],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...withoutKeys(), TMPDIR: folder } },
  );
  return new Promise((resolve) => {
    let ended = 0;
    let current: number | undefined;
    let suspicion: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    const stop = (why: string): void => {
      suspicion ??= why;
      worker.kill('SIGKILL');
    };
    worker.on('message', ({ number, ended: end }: Told) => {
      clearTimeout(timer);
      if (end === undefined) {
        current = number;
        timer = setTimeout(() => stop(`no end after ${patienceMs / 1000} s`), patienceMs);
        return;
      }
      current = undefined;
      ended += 1;
      onEnd({ number, objections: end.objections }, end.ms);
      if (end.peak <= mostMemory && end.cpuMs <= longestMs) return;
      current = number;
      stop(
        `${Math.round(end.peak / 1024 / 1024)} MB of memory, ${Math.round(end.cpuMs)} ms of the processor`,
      );
    });
    worker.once('close', (code, signal) => {
      clearTimeout(timer);
      if (current === undefined) resolve({ ended });
      else resolve({ ended, suspect: current, why: suspicion ?? `the process ended with ${code ?? signal}` });
    });
  });
}

/** The environment without what commands read from it. */
function withoutKeys(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:COMMERCE_|CONFORMANCE_|GITHUB_|FORCE_COLOR$)|_proxy$/i.test(name),
    ),
  );
}
