import { describe, expect } from 'vitest';
import { startCli, test } from './cli-for-tests.ts';

describe.concurrent('a reader that stops early', () => {
  test('is no defect', async () => {
    const { child, ended } = startCli(['checks']);
    child.stdout?.destroy();
    const { exitCode, stderr } = await ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

describe.concurrent('serve', () => {
  test('prints its keys, for who comes without a target file', async () => {
    const started = startCli(['serve']);
    const said = await started.said('Press Ctrl-C to stop.');
    started.child.kill('SIGTERM');
    await started.ended;
    expect(said).toMatch(/^ {2}export COMMERCE_KEY=\S{16,} COMMERCE_KEY_UNSCOPED=\S{16,}$/m);
  });

  test('says so where its port is in use', async ({ serve, refused }) => {
    const { target } = await serve();
    await refused(`serve --port ${new URL(target.baseUrl).port}`, 'is in use');
  });

  test('serves a conforming variant', async ({ serve, cli }) => {
    const { file } = await serve('--variant', 'cancelled-sessions-are-forgotten');
    const { exitCode, stdout } = await cli(`run --target ${file} --operation cancelHostedCheckoutSession`);
    expect(exitCode, stdout).toBe(0);
  });
});
