import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { changeAnswers } from '../fixtures/mutators/change-answers.ts';
import { type RunningService, startService } from '../fixtures/reference-service/start-service.ts';
import { filesIn, owner, ownerKeyFile } from './certified-run-for-tests.ts';
import { writeCopy } from './copied-certificate-for-tests.ts';
import { callCli } from './in-process-for-tests.ts';

/** Entries; the figures in docs/running-a-programme.md come from ENTRIES=200. */
const count = Number(process.env['ENTRIES'] ?? 3);
const services: RunningService[] = [];
let folder: string;
let cheats = false;

/** Starts as many services as there are entries; the second cheats from the end of its run. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-check-register-'));
  await ownerKeyFile(folder);
  await writeFile(join(folder, 'owner-public.pem'), owner.publicPem);
  await mkdir(join(folder, 'targets'));
  for (let at = 0; at < count; at += 1) {
    const service = await startService({
      alter: [
        (parts) =>
          changeAnswers(parts, {}, (answer) => (cheats && at === 1 ? { ...answer, status: 500 } : answer)),
      ],
    });
    services.push(service);
    const target = { ...service.target, options: { rate: 200 } };
    await writeFile(join(folder, 'targets', `entry-${at}.yaml`), stringify(target));
  }
  const flags = ['--certify', '--development', '--sign-key', 'owner.pem', '--report-dir', 'first'];
  const run = await callCli(['run', '--quiet', '--target', 'targets/entry-0.yaml', ...flags], {
    cwd: folder,
  });
  if (run.exitCode !== 0) throw new Error(run.stdout + run.stderr);
  const first = await filesIn(join(folder, 'first'));
  const runId = `conformance-${'0'.repeat(32)}`;
  for (const [at, service] of services.entries()) {
    const { host } = new URL(service.baseUrl);
    await writeCopy(join(folder, 'certificates', `entry-${at}`), first, { host, runId });
  }
}, 300_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await rm(folder, { recursive: true, force: true });
});

it('finds the entry that no longer holds, and the one that cannot be reached', {
  timeout: 3_600_000,
}, async () => {
  cheats = true;
  // Who edits the date of expiry must not have the check leave the entry out.
  const certificate = join(folder, 'certificates', 'entry-1', 'certificate.json');
  const genuine = await readFile(certificate, 'utf8');
  const envelope = JSON.parse(genuine) as { payload: string };
  const expired = Buffer.from(envelope.payload, 'base64')
    .toString()
    .replace(/"expiresAt":"[^"]+"/, '"expiresAt":"2020-01-01T00:00:00.000Z"');
  const edited = { ...envelope, payload: Buffer.from(expired).toString('base64') };
  await writeFile(certificate, `${JSON.stringify(edited, null, 2)}\n`);
  const args = ['--targets', 'targets', '--owner-key', 'owner-public.pem', '--development', '--shard', '2/3'];
  const tampered = await callCli(['check-register', 'certificates', ...args], { cwd: folder });
  expect(tampered).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('entry-1: unknown') });
  await writeFile(certificate, genuine);
  await services[2]?.close();
  const started = performance.now();
  const { exitCode, stdout, stderr } = await callCli(
    [
      'check-register',
      'certificates',
      '--targets',
      'targets',
      '--owner-key',
      'owner-public.pem',
      '--development',
    ],
    { cwd: folder },
  );
  process.stdout.write(`${count} entries in ${Math.round((performance.now() - started) / 1000)} s\n`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  expect(stdout).toContain(`Entries: ${count - 2} hold, `);
  expect((await readdir(join(folder, 'spot-checks'))).sort()).toEqual(['entry-1.md', 'entry-2.md']);
  const issue = await readFile(join(folder, 'spot-checks', 'entry-1.md'), 'utf8');
  expect(issue).toContain('The service of the entry entry-1 differs from its certificate.');
});
