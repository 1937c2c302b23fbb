import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callCli, test } from '../../e2e/in-process-for-tests.ts';

describe('doctor', () => {
  test('finds nothing lacking at the embedded service', async () => {
    const { exitCode, stdout } = await callCli(['doctor']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Reachable   yes');
    expect(stdout).toMatch(/Keys {8}scoped: accepted\n {12}unscoped: accepted/);
    expect(stdout).toMatch(/(\d+) of \1 can be tested/);
    expect(stdout).not.toContain('Add to the target file');
  });

  test('finds slugs, and says what to add where bodies are missing', async ({ serve }) => {
    const { target } = await serve('--shape', 'reference');
    const { exitCode, stdout } = await callCli(['doctor', '--base-url', target.baseUrl], {
      env: { COMMERCE_KEY: target.keys.scoped },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('unscoped: not given');
    expect(stdout).toContain(
      'Found       getPublicProduct slug = linen-shirt (in the response of listPublicProducts)',
    );
    expect(stdout).toMatch(
      /^keys:\n {2}# completes \d+ cases.*\n {2}unscoped: \$\{COMMERCE_KEY_UNSCOPED\}$/m,
    );
    expect(stdout).toMatch(
      /^bodies:\n {2}# completes \d+ cases.*\n {2}# the service answers 400 to \{\}: .*'merchant'.*\n {2}createHostedCheckoutSession: \{ … \}$/m,
    );
  });

  test('says how keys are written here, and goes by it', async ({ serve }) => {
    const { target } = await serve('--shape', 'enveloped-bearer');
    const { stdout } = await callCli(['doctor', '--base-url', target.baseUrl, '--key', target.keys.scoped]);
    expect(stdout).toContain('scoped: accepted, written as Bearer {key}');
    expect(stdout).toMatch(/^authorization: "Bearer \{key\}"$/m);
    expect(stdout).toContain('Found       getApiKeyCatalogProduct slug');
    expect(stdout).not.toContain(target.keys.scoped);
  });

  test('says when a key is none, and when the two are the wrong way round', async ({ serve }) => {
    const { target } = await serve();
    const { scoped, unscoped } = target.keys;
    const url = ['doctor', '--base-url', target.baseUrl];
    const [wrong, swapped] = await Promise.all([
      callCli([...url, '--key', 'pk_NobodyKnowsThis1']),
      callCli([...url, '--key', unscoped, '--unscoped-key', scoped]),
    ]);
    expect(wrong).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('Every API key gets 401 at every operation'),
    });
    expect(swapped.stdout).toContain('swap them');
  });

  test('tries the bodies of the file, and says the service’s answers', async ({ folder, serve }) => {
    const { target } = await serve();
    const file = join(folder, 'mine.yaml');
    const bodies = {
      createHostedCheckoutSession: { merchant: 'atelier-nord' },
      cancelHostedCheckoutSession: { reason: 'x' },
    };
    await writeFile(file, JSON.stringify({ baseUrl: target.baseUrl, keys: target.keys, bodies }));
    const { stdout } = await callCli(['doctor', '--target', file]);
    const casesIn = (text: string): string => /at most \d+ of \d+ can be tested/.exec(text)?.[0] ?? text;
    const { createHostedCheckoutSession: _, ...others } = bodies;
    await writeFile(file, JSON.stringify({ baseUrl: target.baseUrl, keys: target.keys, bodies: others }));
    const without = await callCli(['doctor', '--target', file]);
    expect(casesIn(stdout)).toBe(casesIn(without.stdout));
    expect(stdout).not.toMatch(/^ {2}createHostedCheckoutSession:/m);
    expect(stdout).toMatch(
      /createHostedCheckoutSession: not accepted: the service answers 400 to .*: .*'items'/,
    );
    expect(stdout).toContain('can be tested; for the others, fix the bodies above');
    expect(stdout).toContain(`Add to ${file}, with your own values for …:`);
  });

  test('doubts a path prefix where nothing is found', async ({ serve }) => {
    const { target } = await serve('--shape', 'gateway-terse');
    const { exitCode, stdout } = await callCli(['doctor', '--base-url', new URL(target.baseUrl).origin]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('Is the path before /api/v1 in the base URL right');
  });
});
