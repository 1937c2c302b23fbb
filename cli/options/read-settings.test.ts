import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../../e2e/in-process-for-tests.ts';
import { readReport } from '../read-report.ts';

const narrow = ['--operation', 'getPublicBootstrap', '--check', 'surface/*', '--quiet'];

describe('--spec-findings', () => {
  test.for([
    ['fail', 1, 'fail'],
    ['warn', 0, 'warn'],
  ] as const)('%s: exit code %i', async ([outcome, expected, found], { folder, serve, cli }) => {
    const { file, spec } = await serve();
    await writeFile(spec, (await readFile(spec, 'utf8')).replaceAll('"getPublicBootstrap"', '"bootstrap"'));
    const args = ['run', '--target', file, '--spec', spec, '--spec-findings', outcome, ...narrow];
    const { exitCode } = await cli(args);
    const report = await readReport(join(folder, 'conformance-report'));
    const result = report.results.find(({ check }) => check === 'surface/supplied-document-matches');
    expect({
      exitCode,
      outcome: result?.outcome,
      subjects: report.rootCauses?.map(({ subject }) => subject),
    }).toEqual({
      exitCode: expected,
      outcome: found,
      subjects: ['OpenAPI document'],
    });
  });
});
