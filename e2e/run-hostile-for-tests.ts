import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HostileTarget, RunningHostile } from '../fixtures/hostile/hostile-target.ts';
import { readReport, runCli } from './cli-for-tests.ts';
import { peakMemory, withPeakMemory } from './peak-memory-for-tests.ts';

const mostMemory = 400 * 1024 * 1024;

const verdicts: Readonly<Record<number, readonly string[]>> = {
  0: ['conformant', 'incomplete'],
  1: ['non-conformant'],
  3: ['incomplete'],
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Starts a hostile target, runs the program against it, and holds it to its ending. */
export async function runHostile(hostile: HostileTarget, folder: string): Promise<void> {
  const running = await hostile.start();
  try {
    await evaluate(hostile, running, folder);
  } finally {
    await running.close();
  }
}

async function evaluate(
  { name, ends, alike }: HostileTarget,
  running: RunningHostile,
  folder: string,
): Promise<void> {
  const { target, ca, arrivedElsewhere } = running;
  const args = ['run', '--target', 'target.json'];
  await writeFile(join(folder, 'target.json'), JSON.stringify(target));
  if (alike === true) args.push('--profile', 'quick');
  if (ca !== undefined) {
    await writeFile(join(folder, 'ca.pem'), ca);
    args.push('--ca', 'ca.pem');
  }
  const started = performance.now();
  const { exitCode, stdout, stderr } = await runCli(args, { cwd: folder, env: withPeakMemory(folder) });

  const peak = await peakMemory(folder);
  const figures = process.env['HOSTILE_FIGURES'];
  if (figures !== undefined) {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    await appendFile(figures, `${name} ${seconds} s ${Math.round(peak / 1024 / 1024)} MB\n`);
  }
  const said = stdout + stderr;
  expect(ends.exit, said).toContain(exitCode);
  expect(said).not.toMatch(/^\s*at .*:\d+:\d+\)?$/m);
  expect(said).not.toMatch(control);
  expect(peak).toBeLessThan(mostMemory);
  expect(arrivedElsewhere?.() ?? []).toEqual([]);

  const reportDir = join(folder, 'conformance-report');
  const report = await readReport(reportDir);
  expect(verdicts[exitCode ?? -1]).toContain(report.verdict);
  expect(report.summary.error).toBe(0);
  expect(report.run).not.toHaveProperty('defect');
  if (exitCode === 3) expect(report.reasons).not.toEqual([]);
  const written = await Promise.all(
    (await readdir(reportDir)).map((name) => readFile(join(reportDir, name))),
  );
  for (const key of Object.values(target.keys)) {
    expect(said).not.toContain(key);
    for (const bytes of written) expect(bytes.includes(key)).toBe(false);
  }
}
