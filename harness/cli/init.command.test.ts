import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { patient, runCli, test } from './cli-for-tests.ts';

describe.concurrent('init', patient, () => {
  test('writes a file that doctor reads', async ({ folder, serve }) => {
    const { target } = await serve();
    const written = await runCli(['init', '--base-url', target.baseUrl], { cwd: folder });
    expect(written.exitCode).toBe(0);
    expect(written.stdout).toContain('Wrote target.yaml');
    const doctor = await runCli(['doctor', '--target', 'target.yaml'], {
      cwd: folder,
      env: { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: target.keys.unscoped },
    });
    expect(doctor.exitCode, doctor.stderr).toBe(0);
    expect(doctor.stdout).toContain('unscoped: accepted');
  });

  test('replaces no file, unless told to', async ({ folder }) => {
    const file = join(folder, 'target.yaml');
    await writeFile(file, 'mine');
    const refused = await runCli(['init'], { cwd: folder });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('error: --file: target.yaml is there already');
    expect(await readFile(file, 'utf8')).toBe('mine');
    const forced = await runCli(['init', '--force'], { cwd: folder });
    expect(forced.exitCode).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('baseUrl: https://staging.example.com');
  });

  test('refuses a base URL that run would refuse, and a file that it cannot write', async ({ folder }) => {
    const url = await runCli(['init', '--base-url', 'staging.example.com'], { cwd: folder });
    expect({ ...url }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has no scheme') });
    const file = await runCli(['init', '--file', join('no', 'such', 'folder.yaml')], { cwd: folder });
    expect({ ...file }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be written') });
  });
});
