import { describe, expect } from 'vitest';
import { allFaults } from '../fixtures/faults/all-faults.ts';
import { shapePresets } from '../fixtures/reference-service/shape.ts';
import { readReport } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

/** One of each kind: that all of them are found is what the proof shows, which needs no processes. */
const faults = [
  'create-skips-authentication',
  'connection-remembers-its-key',
  'missing-scope-is-answered-401',
  'product-body-is-empty',
  'unknown-session-is-gone',
  'cancel-of-unknown-session-succeeds',
];

describe.concurrent('a conforming service passes, whatever its shape', () => {
  test.for(Object.keys(shapePresets))('%s', async (shape, { folder, serve, cli }) => {
    const { file } = await serve('--shape', shape);
    const { exitCode, stdout } = await cli(`run --target ${file} --report-dir ${folder} --fuzz-runs 1`);
    const { verdict, summary } = await readReport(folder);
    expect({ verdict, summary }, stdout).toMatchObject({
      verdict: 'conformant',
      summary: { fail: 0, warn: 0, inconclusive: 0, error: 0 },
    });
    expect(exitCode).toBe(0);
  });
});

describe.concurrent('a service with a fault fails, at the operation that has it', () => {
  test.for(faults)('%s', async (name, { folder, serve, cli }) => {
    const breaks = allFaults.find((fault) => fault.name === name)?.breaks;
    if (breaks === undefined) throw new Error(`there is no fault ${name}`);
    const { file } = await serve('--fault', name);
    const only = `--operation ${breaks.operation}`;
    const { exitCode, stdout } = await cli(`run --target ${file} --report-dir ${folder} ${only}`);
    const report = await readReport(folder);
    const failed = report.results.filter(({ outcome }) => outcome === 'fail');
    const named = failed.find(({ check }) => check === breaks.check);
    expect(named, stdout).toMatchObject({ operation: breaks.operation, requirement: breaks.requirement });
    expect(named?.findings.map(({ actual }) => `got ${actual}`).join('\n')).toContain(breaks.actual ?? '');
    expect(report.verdict).toBe('non-conformant');
    expect(stdout).toContain('at 1 operation');
    expect(exitCode).toBe(1);
  });
});
