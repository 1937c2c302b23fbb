import { expect } from 'vitest';
import { changeAnswers, htmlPage, withBody, withStatus } from '../fixtures/mutators/change-answers.ts';
import { startService } from '../fixtures/reference-service/start-service.ts';
import { test } from './in-process-for-tests.ts';

const narrow = ['--operation', 'getPublicBootstrap', '--check', 'surface/*', '--quiet'];

test('--user-agent passes a firewall that blocks the name of the harness', async ({ cli }) => {
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
  const blocked = await cli(args);
  expect(blocked).toMatchObject({
    exitCode: 3,
    stdout: expect.stringMatching(/firewall refuse the harness by its address or\s+user-agent/),
  });
  names.clear();
  const { exitCode } = await cli([...args, '--user-agent', 'Shop/1.0']);
  expect({ exitCode, names: [...names] }).toEqual({ exitCode: 0, names: ['Shop/1.0'] });
  await service.close();
});
