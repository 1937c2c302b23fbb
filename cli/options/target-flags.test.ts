import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { changeAnswers, htmlPage, withBody, withStatus } from '../../fixtures/mutators/change-answers.ts';
import { startService } from '../../fixtures/reference-service/start-service.ts';
import { callCli, test } from '../in-process-for-tests.ts';
import { readReport } from '../read-report.ts';

const narrow = ['--operation', 'getPublicBootstrap', '--check', 'surface/*', '--quiet'];

test('--user-agent passes a firewall that blocks the name of the harness', async ({ folder }) => {
  const names = new Set<string | undefined>();
  const service = await startService({
    alter: [
      (parts) =>
        changeAnswers(parts, {}, (answer, { request: { headers } }) => {
          names.add(headers['user-agent']);
          const isBlocked = /^commerce-conformance/.test(headers['user-agent'] ?? '');
          return isBlocked
            ? withBody(withStatus(answer, 403), htmlPage('403 Forbidden'), 'text/html')
            : answer;
        }),
    ],
  });
  const args = ['run', '--base-url', service.baseUrl, ...narrow];
  const blocked = await callCli(args, { cwd: folder });
  expect(blocked).toMatchObject({
    exitCode: 3,
    stdout: expect.stringMatching(/firewall refuse the harness by its address or\s+user-agent/),
  });
  names.clear();
  const { exitCode } = await callCli([...args, '--user-agent', 'Shop/1.0'], { cwd: folder });
  expect({ exitCode, names: [...names] }).toEqual({ exitCode: 0, names: ['Shop/1.0'] });
  await service.close();
});

describe('--spec-findings', () => {
  test.for([
    ['fail', 1, 'fail'],
    ['warn', 0, 'warn'],
  ] as const)('%s: exit code %i', async ([outcome, expected, found], { folder, serve }) => {
    const { file, spec } = await serve();
    await writeFile(spec, (await readFile(spec, 'utf8')).replaceAll('"getPublicBootstrap"', '"bootstrap"'));
    const args = ['run', '--target', file, '--spec', spec, '--spec-findings', outcome, ...narrow];
    const { exitCode } = await callCli(args, { cwd: folder });
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
