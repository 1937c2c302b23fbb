import { describe, expect } from 'vitest';
import { patient, runCli, test } from './cli-for-tests.ts';

describe.concurrent('doctor', patient, () => {
  test('finds nothing lacking at the embedded service', async () => {
    const { exitCode, stdout } = await runCli(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Reachable   yes');
    expect(stdout).toMatch(/Keys {8}scoped: accepted\n {12}unscoped: accepted/);
    expect(stdout).toMatch(/(\d+) of \1 have all that they need/);
    expect(stdout).not.toContain('Add to the target file');
  });

  test('finds slugs, and says what to add where bodies are missing', async ({ serve }) => {
    const { target } = await serve('--shape', 'reference');
    const { exitCode, stdout } = await runCli(['doctor', '--base-url', target.baseUrl], {
      env: { COMMERCE_KEY: target.keys.scoped },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('unscoped: not given');
    expect(stdout).toContain(
      'Found       getPublicProduct slug = linen-shirt (in the answer of listPublicProducts)',
    );
    expect(stdout).toContain('keys: { unscoped: $' + '{COMMERCE_KEY_UNSCOPED} }');
    expect(stdout).toMatch(/bodies: \{ createHostedCheckoutSession: .*\n {6}decides \d+ cases/);
  });

  test('says when keys are written in another way here', async ({ serve }) => {
    const { target } = await serve('--shape', 'enveloped-bearer');
    const { stdout } = await runCli(['doctor', '--base-url', target.baseUrl, '--key', target.keys.scoped]);
    expect(stdout).toContain('refused everywhere: is it a good key');
    expect(stdout).not.toContain(target.keys.scoped);
  });

  test('doubts a path prefix where nothing is found', async ({ serve }) => {
    const { target } = await serve('--shape', 'gateway-terse');
    const { stdout } = await runCli(['doctor', '--base-url', new URL(target.baseUrl).origin]);
    expect(stdout).toContain('is the path before /api/v1 right?');
  });
});
