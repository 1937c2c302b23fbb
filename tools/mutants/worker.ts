import { readFile } from 'node:fs/promises';
import { allSubjects } from './all-subjects.ts';
import type { CertifiedOriginals } from './certified-originals.ts';
import { chooseMutant } from './choose-mutant.ts';
import { peakMemory } from './peak-memory.ts';
import { runMutant } from './run-mutant.ts';

/** What a worker tells of a mutant when it begins and when it ends. */
export interface Told {
  readonly number: number;
  readonly ended?: {
    readonly objections: readonly string[];
    readonly ms: number;
    readonly cpuMs: number;
    readonly peak: number;
  };
}

const [file = '', seed = '', ...numbers] = process.argv.slice(2);
const originals = JSON.parse(await readFile(file, 'utf8')) as CertifiedOriginals;
const stray: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => void stray.push(`${event}: ${(error as Error).stack}`));

for (const number of numbers.map(Number)) {
  tell({ number });
  const started = performance.now();
  const before = process.cpuUsage();
  const { objections, exitCode } = await runMutant(
    chooseMutant(allSubjects, originals, { seed: Number(seed), number }),
  );
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  tell({ number, ended: { objections: [...objections, ...stray.splice(0)], ms, cpuMs, peak: peakMemory() } });
  process.exitCode = exitCode;
}
process.disconnect();
process.exit(0);

function tell(told: Told): void {
  process.send?.(told);
}
