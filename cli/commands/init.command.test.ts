import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from '../../e2e/in-process-for-tests.ts';

describe('init', () => {
  test('asks how keys are written and which values exist, and writes a file that says so', async ({
    folder,
    serve,
    cli,
  }) => {
    const { target } = await serve('--shape', 'enveloped-bearer');
    const env = { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: target.keys.unscoped };
    const written = await cli(`init --base-url ${target.baseUrl}`, env);
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
      /# A valid HostedCheckoutCreateRequest; the service answers 400 to \{\}: .*'merchant'/,
    );
    expect(text).not.toContain(target.keys.scoped);
    const doctor = await cli('doctor --target target.yaml', env);
    expect(doctor.exitCode, doctor.stderr).toBe(0);
    expect(doctor.stdout).toMatch(/unscoped: accepted\n/);
    expect(doctor.stdout).not.toMatch(/^(?:keys|authorization|parameters):/m);
  });

  test('writes a complete file with a document, a base URL and two keys', async ({ serve, cli }) => {
    const { target, spec } = await serve('--shape', 'gateway-terse');
    const env = { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: target.keys.unscoped };
    const written = await cli(`init --base-url ${target.baseUrl} --spec ${spec}`, env);
    expect(written.stdout, written.stderr).toContain('It is complete.');
  });

  test('leaves out what it was not given', async ({ folder, serve, cli }) => {
    const { target } = await serve();
    const { stdout } = await cli(
      `init --base-url ${target.baseUrl} --read-only --header x-gateway-token:hush-hush`,
    );
    expect(stdout).toContain('none given: set COMMERCE_KEY and COMMERCE_KEY_UNSCOPED');
    expect(stdout).toContain('export X_GATEWAY_TOKEN=…');
    const text = await readFile(join(folder, 'target.yaml'), 'utf8');
    expect(text).toMatch(/^#keys:$/m);
    expect(text).toContain('x-gateway-token: $' + '{X_GATEWAY_TOKEN}');
    expect(text).not.toContain('hush-hush');
  });

  test('writes a file all the same where nothing answers, and asks nothing offline', async ({ cli }) => {
    const dead = await cli('init --base-url http://127.0.0.1:9');
    expect({ ...dead }).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('The target did not answer'),
    });
    const offline = await cli('init --base-url http://127.0.0.1:9 --offline --file b.yaml');
    expect(offline.stdout).toMatch(
      /^Wrote b\.yaml\. .*\n {2}export COMMERCE_KEY=… COMMERCE_KEY_UNSCOPED=…\n/,
    );
  });

  test('replaces no file, unless told to', async ({ folder, cli, refused }) => {
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'mine');
    await refused('init', 'error: --file: target.yaml exists already');
    expect(await readFile(file, 'utf8')).toBe('mine');
    const forced = await cli('init --force');
    expect(forced.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('baseUrl: https://staging.example.com');
  });

  test('refuses a base URL that run would refuse, and a file that it cannot write', async ({ refused }) => {
    await refused('init --base-url staging.example.com', 'has no scheme');
    await refused('init --file no/such/folder.yaml', 'cannot be written');
  });
});
