import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { callCli, test } from '../../e2e/in-process-for-tests.ts';

describe('init', () => {
  test('asks how keys are written and which values exist, and writes a file that says so', async ({
    folder,
    serve,
  }) => {
    const { target } = await serve('--shape', 'enveloped-bearer');
    const env = { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: target.keys.unscoped };
    const written = await callCli(['init', '--base-url', target.baseUrl], { cwd: folder, env });
    expect(written.exitCode, written.stderr).toBe(0);
    expect(written.stdout).toMatch(/keys +2 accepted, written as Bearer \{key\}/);
    expect(written.stdout).toMatch(/bodies +0 of 4 known; the file shows the service’s answer/);
    expect(written.stdout).toContain('Wrote target.yaml. Fill in the missing values, then:');
    const text = await readFile(join(folder, 'target.yaml'), 'utf8');
    expect(text).toContain('authorization: "Bearer {key}"');
    expect(text).toMatch(
      /getApiKeyCatalogProduct: \{ slug: \S+ \} +# found in the response of listPublicProducts/,
    );
    expect(text).toMatch(
      /# A valid HostedCheckoutCreateRequest; to \{\} the service answers 400: .*'merchant'/,
    );
    expect(text).not.toContain(target.keys.scoped);
    const doctor = await callCli(['doctor', '--target', 'target.yaml'], { cwd: folder, env });
    expect(doctor.exitCode, doctor.stderr).toBe(0);
    expect(doctor.stdout).toMatch(/unscoped: accepted\n/);
    expect(doctor.stdout).not.toMatch(/^(?:keys|authorization|parameters):/m);
  });

  test('writes a complete file with a document, a base URL and two keys', async ({ folder, serve }) => {
    const { target, spec } = await serve('--shape', 'gateway-terse');
    const env = { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: target.keys.unscoped };
    const url = ['--base-url', target.baseUrl];
    const written = await callCli(['init', ...url, '--spec', spec], { cwd: folder, env });
    expect(written.stdout, written.stderr).toContain('It is complete.');
  });

  test('leaves out what it was not given', async ({ folder, serve }) => {
    const { target } = await serve();
    const flags = ['--base-url', target.baseUrl, '--read-only', '--header', 'x-gateway-token: hush-hush'];
    const { stdout } = await callCli(['init', ...flags], { cwd: folder });
    expect(stdout).toContain('none given: set COMMERCE_KEY and COMMERCE_KEY_UNSCOPED');
    expect(stdout).toContain('export X_GATEWAY_TOKEN=…');
    const text = await readFile(join(folder, 'target.yaml'), 'utf8');
    expect(text).toMatch(/^#keys:$/m);
    expect(text).toContain('x-gateway-token: $' + '{X_GATEWAY_TOKEN}');
    expect(text).not.toContain('hush-hush');
  });

  test('writes a file all the same where nothing answers, and asks nothing offline', async ({ folder }) => {
    const url = ['--base-url', 'http://127.0.0.1:9'];
    const dead = await callCli(['init', ...url], { cwd: folder });
    expect({ ...dead }).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('The target did not answer'),
    });
    const offline = await callCli(['init', ...url, '--offline', '--file', 'b.yaml'], { cwd: folder });
    expect(offline.stdout).toMatch(
      /^Wrote b\.yaml\. .*\n {2}export COMMERCE_KEY=… COMMERCE_KEY_UNSCOPED=…\n/,
    );
  });

  test('replaces no file, unless told to', async ({ folder }) => {
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'mine');
    const refused = await callCli(['init'], { cwd: folder });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('error: --file: target.yaml exists already');
    expect(await readFile(file, 'utf8')).toBe('mine');
    const forced = await callCli(['init', '--force'], { cwd: folder });
    expect(forced.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('baseUrl: https://staging.example.com');
  });

  test('refuses a base URL that run would refuse, and a file that it cannot write', async ({ folder }) => {
    const url = await callCli(['init', '--base-url', 'staging.example.com'], { cwd: folder });
    expect({ ...url }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has no scheme') });
    const file = await callCli(['init', '--file', join('no', 'such', 'folder.yaml')], { cwd: folder });
    expect({ ...file }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be written') });
  });
});
