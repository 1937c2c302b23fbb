import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { stringify } from 'yaml';
import { lockName } from '../cli/report-folder/lock-report-dir.ts';
import { parseEvidence } from '../harness/evidence/evidence-log-for-tests.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { pathValues } from '../suites/resource/path-values.ts';
import { readReport, startCli, test } from './cli-for-tests.ts';

describe.concurrent('a certificate', () => {
  test('is written for a service that conforms, and verified with the key of its signer', async ({
    folder,
    cli,
    refused,
  }) => {
    const keygen = await cli('keygen --out keys');
    expect(keygen).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/key id [0-9a-f]{64}\n$/) });
    expect((await stat(join(folder, 'keys', 'certificate-private.pem'))).mode & 0o777).toBe(0o600);
    await refused('keygen --out keys', 'no file or key is ever overwritten');
    await cli('keygen --out others');

    const run = await cli(
      'run --certify --development --sign-key keys/certificate-private.pem --certificate-days 7 --report-dir r',
    );
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Development certificate: '),
    });
    expect((await readdir(join(folder, 'r'))).sort()).toEqual([
      'certificate.json',
      'evidence.har',
      'report.html',
      'report.json',
    ]);
    expect(await readFile(join(folder, 'r', 'report.json'), 'utf8')).not.toContain('certificate-private');

    const verify = async (flags = ''): Promise<readonly [number | null, string]> => {
      const { exitCode, stdout, stderr } = await cli(`verify r --development${flags}`);
      expect(stderr).toBe('');
      return [exitCode, stdout];
    };
    expect(await verify(' --public-key keys/certificate-public.pem')).toEqual([
      0,
      expect.stringMatching(
        /^The certificate is valid\. Level of trust: signed\.\n {2}signed by [0-9a-f]{64}\n/,
      ),
    ]);
    const [exitCode, said] = await verify();
    expect([exitCode, said]).toEqual([1, expect.stringContaining('signed by an unknown key')]);
    expect((await verify(' --require self-declared'))[0]).toBe(0);
    expect(said).not.toContain('verified by');
    const [cases, others, all] = [
      / of (\d+) requests of cases/,
      /(\d+) other requests/,
      /requests +(\d+)$/m,
    ].map((pattern) => Number(pattern.exec(said)?.[1]));
    expect(Number(cases) + Number(others)).toBe(all);
    expect(await verify(' --public-key others/certificate-public.pem')).toEqual([
      1,
      expect.stringContaining('is signed by'),
    ]);

    const evidence = join(folder, 'r', 'evidence.har');
    const text = await readFile(evidence, 'utf8');
    await writeFile(evidence, text.replace('"status":401', '"status":200'));
    expect(await verify()).toEqual([1, expect.stringContaining('evidence.har: is not the file')]);
    await writeFile(evidence, JSON.stringify(JSON.parse(text)));
    expect(await verify()).toEqual([
      1,
      expect.stringMatching(
        /evidence\.har: is cut off, or laid out by another program: it ends on line 1\n +evidence\.har: is not the file .*: verify it as the run wrote it/,
      ),
    ]);
    await writeFile(evidence, text.replaceAll('"version":"0', '"version":"9'));
    expect((await verify())[0]).toBe(1);
  });

  test('is not written for a service that does not conform', async ({ folder, serve, cli }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    const { exitCode, stderr } = await cli(`run --certify --target ${file}`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('No certificate: the verdict is non-conformant'),
    });
    expect(await readdir(join(folder, 'conformance-report'))).not.toContain('certificate.json');
    const verify = await cli('verify conformance-report');
    expect(verify).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('certificate.json: there is none'),
    });
  });

  test.for([
    ['--operation getPublic*', 'leaves out operations'],
    ['--check AUTH-*', 'leaves out checks'],
    ['--read-only', 'leaves out every POST'],
    ['--fuzz-runs 1', '--fuzz-runs is less than'],
    ['--no-evidence', 'leaves nothing to verify'],
    ['--certificate-days 1000', 'at most 366 days'],
    ['--sign-key none.pem', 'the key file of --sign-key does not exist'],
    ['--challenge none.json --development', 'the challenge does not exist'],
  ] as const)(
    'is refused before anything is sent with %s',
    async ([flags, why], { startCountingServer, refused }) => {
      const server = await startCountingServer();
      await refused(`run --certify --base-url ${server.baseUrl} ${flags}`, why);
      expect(server.requests).toBe(0);
    },
  );

  test('is refused where the target file leaves out values', async ({
    folder,
    startCountingServer,
    refused,
  }) => {
    const { baseUrl } = await startCountingServer();
    const exclude = [{ class: pathValues[0]?.class, reason: 'the gateway cuts it' }];
    await writeFile(join(folder, 'target.yaml'), stringify({ baseUrl, exclude }));
    await refused('run --certify --target target.yaml', 'leaves out values');
  });

  test('is signed only where one is made', ({ refused }) =>
    refused('run --sign-key key.pem', 'add --certify'));

  test.for([
    ['a folder that is not there', 'verify nowhere', 'there is no certificate.json'],
    ['no key', 'verify . --public-key none.pem', 'the key file of'],
    ['no folder', 'verify', 'missing required argument'],
  ] as const)('is not looked for with %s', ([, command, why], { refused }) => refused(command, why));
});

describe.concurrent('the evidence of a run', () => {
  test('holds every request, and what came back', async ({ folder, cli }) => {
    await cli('run --operation getApiKeyIdentity');
    const reportDir = join(folder, 'conformance-report');
    const { traffic, results } = await readReport(reportDir);
    const log = parseEvidence(await readFile(join(reportDir, 'evidence.har'), 'utf8'));
    const ids = new Set(log.exchanges.map(({ id }) => id));
    expect(ids.size).toBe(traffic.requests);
    expect(results.flatMap(({ exchanges }) => exchanges).filter((id) => !ids.has(id))).toEqual([]);
  });

  test('is left out where it is not wanted, that of an earlier run too', async ({ folder, cli }) => {
    await cli('run --operation getApiKeyIdentity');
    await cli('run --operation getApiKeyIdentity --no-evidence');
    expect(await readdir(join(folder, 'conformance-report'))).not.toContain('evidence.har');
  });

  test('that cannot be written is no success', async ({ folder, serve }) => {
    const { file } = await serve();
    const { ended } = startCli(
      ['run', '--target', file, '--operation', 'getApiKeyIdentity', '--rate', '20', '--report-dir', 'r'],
      { cwd: folder },
    );
    const path = join(folder, 'r', 'evidence.har');
    await vi.waitUntil(
      () =>
        existsSync(join(folder, 'r')) &&
        readdirSync(join(folder, 'r')).some((name) => name.startsWith('.evidence.har.')),
      { timeout: 60_000 },
    );
    // A file cannot take the name of a folder.
    await mkdir(path);
    const { exitCode, stderr } = await ended;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('the evidence could not be written'),
    });
    expect((await readdir(join(folder, 'r'))).sort()).toEqual(['evidence.har', 'report.html', 'report.json']);
  });
});

describe('a run that is killed', () => {
  test('leaves nothing that reads as complete, also where an earlier run was', async ({ folder, cli }) => {
    expect((await cli('run --quiet --certify --development --report-dir r')).exitCode).toBe(0);
    const before = await readReport(join(folder, 'r'));
    const run = ['run', '--quiet', '--operation', 'getApiKeyIdentity', '--report-dir'];
    const started = performance.now();
    await cli([...run, 'elsewhere']);
    const whole = performance.now() - started;
    const random = seededRandom(1, 'kills');
    for (let round = 0; round < 6; round += 1) {
      const { child, ended } = startCli([...run, 'r'], { cwd: folder });
      await new Promise((resolve) => setTimeout(resolve, whole * ((round + random()) / 6)));
      child.kill('SIGKILL');
      await ended;
      const left = await readdir(join(folder, 'r'));
      const report = left.includes('report.json') ? await readReport(join(folder, 'r')) : undefined;
      if (report?.run.startedAt === before.run.startedAt) {
        // It had not even begun.
        expect(left.filter((name) => name !== lockName).sort()).toEqual([
          'certificate.json',
          'evidence.har',
          'report.html',
          'report.json',
        ]);
        continue;
      }
      expect(left).not.toContain('certificate.json');
      expect(report?.complete ?? false).toBe(false);
      if (report !== undefined) expect(left).toContain('evidence.har');
    }
    await cli([...run, 'r']);
    const [kept = '', ...others] = (await readdir(join(folder, 'r'))).sort();
    expect(others).toEqual(['evidence.har', 'report.html', 'report.json']);
    expect(await readReport(join(folder, 'r', kept))).toEqual(before);
    const verified = await cli(`verify r/${kept} --require self-declared --development`);
    expect(verified.exitCode).toBe(0);
  });
});
