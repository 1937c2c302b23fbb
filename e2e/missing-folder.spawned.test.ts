import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { program, startCli, test } from './cli-for-tests.ts';

test.for([['run'], ['keygen', '--out', 'keys']])(
  '%s ends where the working folder was deleted',
  async (args) => {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-cli-'));
    const child = spawn('sh', ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('the working folder no longer exists'),
    });
  },
);

test('a run ends where its folder is deleted meanwhile', async ({ startCountingServer }) => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-cli-'));
  const server = await startCountingServer();
  const { ended } = startCli(['run', '--base-url', server.baseUrl], { cwd: folder });
  await server.asked;
  await rm(folder, { recursive: true });
  const { exitCode, stderr } = await ended;
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('the report could not be written'),
  });
});
