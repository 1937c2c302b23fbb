import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOfFile } from '../../harness/evidence/byte-source.ts';
import { readEvidence } from '../../harness/evidence/read-evidence.ts';
import { parseReport } from '../../reporters/json/write-report.ts';
import type { InterruptibleCommand } from './commands.ts';
import type { Workplace } from './workplace.ts';

/** When and how a command is interrupted. */
export interface Interrupt {
  /** Milliseconds after its start. */
  readonly moment: number;
  readonly kind: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'twice';
}

/** What became of an interrupted command. */
export interface InterruptOutcome {
  /** Milliseconds from the signal to the end; undefined where the command ended before. */
  readonly tookMs: number | undefined;
  readonly objections: readonly string[];
}

/** Milliseconds within which an interrupted command ends, on a busy machine. */
const longestMs = 20_000;

const certified = ['certificate.json', 'evidence.har', 'report.json'];

/** Interrupts a command, and holds what it leaves behind to what is promised. */
export async function interruptAt(
  workplace: Workplace,
  command: InterruptibleCommand,
  { moment, kind }: Interrupt,
): Promise<InterruptOutcome> {
  await workplace.reset(command);
  const child = workplace.start(command.args);
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  let signalled: number | undefined;
  const timer = setTimeout(() => {
    signalled = performance.now();
    child.kill(kind === 'twice' ? 'SIGINT' : kind);
    if (kind === 'twice') setTimeout(() => child.kill('SIGTERM'), 100);
    setTimeout(() => child.kill('SIGKILL'), longestMs).unref();
  }, moment);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...ended) => resolve(ended)),
  );
  clearTimeout(timer);
  const tookMs = signalled === undefined ? undefined : performance.now() - signalled;
  const objections: string[] = [];
  if (/^\s+at .*:\d+:\d+\)?$/m.test(said)) objections.push(`a stack trace: ${said.slice(-300)}`);
  if (tookMs !== undefined && tookMs >= longestMs) objections.push('it did not end');
  const isKilled = signal === 'SIGKILL';
  const expected: ReadonlyArray<number | null> =
    kind === 'SIGTERM' ? [0, 1, 143] : kind === 'SIGINT' ? [0, 1, 130] : [0, 1, 130, 143];
  if (signal === null && !expected.includes(code)) objections.push(`exit code ${code}: ${said.slice(-300)}`);
  if (kind === 'SIGKILL' && isKilled) {
    // The next run removes what is left.
    const next = workplace.start(command.args);
    next.stdout?.resume();
    next.stderr?.resume();
    const nextCode = await new Promise<number | null>((resolve) => next.once('close', resolve));
    if (nextCode !== 0 && nextCode !== 1) objections.push(`the next run ended with ${nextCode}`);
  } else if (kind !== 'twice' && workplace.openSessions() > 0) {
    objections.push(`${workplace.openSessions()} sessions are open`);
  }
  const left = await readdir(workplace.temporary);
  if (left.length > 0) objections.push(`left in the temporary folder: ${left.join(', ')}`);
  if (command.reportDir !== undefined)
    objections.push(...(await objectionsTo(join(workplace.folder, command.reportDir), code ?? 0)));
  return { tookMs, objections };
}

/** What is wrong with a report folder after an interrupt. */
async function objectionsTo(folder: string, code: number): Promise<readonly string[]> {
  const objections: string[] = [];
  const names = await readdir(folder);
  const parts = names.filter((name) => name.startsWith('.'));
  if (parts.length > 0) objections.push(`left in the report folder: ${parts.join(', ')}`);
  const kept = names.filter((name) => name.startsWith('certified-'));
  if (kept.length > 1) objections.push(`kept ${kept.length} times`);
  const [place = ''] = kept;
  const present = await readdir(join(folder, place));
  for (const name of certified) if (!present.includes(name)) objections.push(`the earlier ${name} is lost`);
  if (kept.length === 0) return objections;
  if (names.includes('report.json')) {
    const report = parseReport(await readFile(join(folder, 'report.json'), 'utf8'));
    if (code >= 130 && report.run.interrupted && report.complete)
      objections.push('the report of an interrupted run is complete');
    if (report.run.interrupted && report.verdict === 'conformant')
      objections.push('the report of an interrupted run has a verdict');
  }
  if (names.includes('evidence.har')) {
    await readEvidence(await bytesOfFile(join(folder, 'evidence.har'), Number.POSITIVE_INFINITY)).catch(
      (error: Error) => objections.push(`the evidence ${error.message}`),
    );
  }
  return objections;
}
