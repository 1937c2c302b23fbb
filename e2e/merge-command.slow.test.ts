import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Commands, type Ended, readReport } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

/** A few checks of different kinds on few operations, so that a run takes moments. */
const few = '--check SCOPE-* AUTH-2 ERROR-* --operation *ApiKey*';

function runShards(cli: Commands['cli'], of: number, flags: string): Promise<Ended[]> {
  return Promise.all(
    Array.from({ length: of }, (_, at) => cli(`run ${flags} --shard ${at + 1}/${of} --report-dir ${at + 1}`)),
  );
}

describe.concurrent('shards and their merging', () => {
  test('come to a verdict, a report in all forms and a certificate', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    const summary = join(folder, 'summary');
    const shards = await Promise.all(
      [1, 2].map((index) =>
        cli(`run --target ${file} --shard ${index}/2 --report-dir ${index}`, {
          GITHUB_ACTIONS: 'true',
          GITHUB_STEP_SUMMARY: summary,
        }),
      ),
    );
    for (const [at, { exitCode, stdout }] of shards.entries()) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('? incomplete') });
      expect(stdout).toContain(`this is shard ${at + 1} of 2 alone: merge the reports of all for a verdict`);
      expect(stdout).toContain('0 of 25 conform');
    }
    expect(await readFile(summary, 'utf8')).not.toMatch(/✓ conformant/);
    const { exitCode, stdout } = await cli('merge 1 2 --certify --development --format junit,html');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('✓ conformant') });
    expect(stdout).toContain('25 of 25 conform');
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.run).toMatchObject({ shards: 2, options: { certify: true } });
    expect(report.run.options).not.toHaveProperty('shard');
    expect(await readFile(join(folder, 'conformance-report', 'junit.xml'), 'utf8')).toContain('<testsuite');
    const verified = await cli('verify conformance-report --development --require self-declared');
    expect(verified.stdout).toContain('The certificate is valid.');
    const compared = await cli('diff conformance-report 1');
    expect(compared.stdout).toContain('the newer report is that of shard 1 of 2 alone');
    const rendered = await cli('render conformance-report --format markdown --out -');
    expect(rendered.stdout).toContain('conformant');
  });

  test('say what is violated, which can be replayed and accepted', async ({ folder, serve, cli }) => {
    const { file } = await serve('--fault', 'key-listing-error-is-of-the-gateway');
    const shards = await runShards(cli, 2, `--target ${file} ${few}`);
    // What only a comparison of all operations shows is for the merging to say.
    expect(shards.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const merged = await cli('merge 2 1 --quiet');
    expect({ ...merged }).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('✗ non-conformant') });
    const { results } = await readReport(join(folder, 'conformance-report'));
    const failed = results.filter(({ outcome }) => outcome === 'fail');
    expect(failed.map(({ operation, requirement }) => `${operation} ${requirement}`)).toEqual([
      'listApiKeyCatalogProducts ERROR-2',
    ]);
    const accept = '--owner us --reason known --expires 2999-01-01 --file accepted.yaml';
    await cli(`baseline conformance-report ${accept}`);
    const gated = await cli('merge 1 2 --baseline accepted.yaml');
    expect(gated.exitCode).toBe(0);
    const id = failed[0]?.findings[0]?.id ?? '';
    const replayed = await cli(`replay ${id} --target ${file}`);
    expect(replayed.stderr).toBe('');
    expect([1, 3]).toContain(replayed.exitCode);
  });

  test('a shard that finds a violation by itself ends with 1', async ({ serve, cli }) => {
    const { file } = await serve('--fault', 'missing-scope-is-answered-401');
    const shards = await runShards(cli, 2, `--target ${file} --check SCOPE-*`);
    expect(shards.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1]);
    expect((await cli('merge 1 2')).exitCode).toBe(1);
  });

  test('find values by themselves, and are named in the target file too', async ({ folder, serve, cli }) => {
    const { target } = await serve();
    const described = ['1/2', '2/2'].map((shard) => ({
      baseUrl: target.baseUrl,
      options: { shard, check: 'AUTH-1' },
    }));
    for (const [at, description] of described.entries()) {
      await writeFile(join(folder, `${at + 1}.json`), JSON.stringify(description));
      const ran = await cli(`run --target ${at + 1}.json --report-dir ${at + 1}`);
      expect(ran).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining(`shard ${at + 1} of 2 alone`),
      });
    }
    const { exitCode } = await cli('merge 1 2');
    expect(exitCode).toBe(0);
    const report = await readReport(join(folder, 'conformance-report'));
    expect(report.target.discovered.length).toBeGreaterThan(0);
    expect(new Set(report.target.discovered.map(({ name }) => name)).size).toBe(
      report.target.discovered.length,
    );
    expect(report.summary.inconclusive).toBe(0);
  });
});

describe.concurrent('merge refuses', () => {
  test('what is not all of one run, and says which', async ({ folder, serve, cli, refused }) => {
    const { file } = await serve();
    const shards = await runShards(cli, 3, `--target ${file} ${few}`);
    expect(shards.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    await cli(`run --target ${file} ${few} --shard 3/3 --strict --report-dir strict`);
    for (const name of ['cut', 'bare', 'renamed'])
      await cp(join(folder, '3'), join(folder, name), { recursive: true });
    await appendFile(join(folder, 'cut', 'evidence.har'), ' ');
    await rm(join(folder, 'bare', 'evidence.har'));
    const renamed = join(folder, 'renamed', 'report.json');
    const [named = ''] = /"check": "[^"]+"/.exec(await readFile(renamed, 'utf8')) ?? [];
    await writeFile(renamed, (await readFile(renamed, 'utf8')).replace(named, '"check": "auth/other"'));
    await refused('merge 1 2 renamed', 'a report was changed after its run');
    await refused('merge 1 3', 'shard 2 of 3 is missing');
    await refused('merge 1 2 strict', 'strict was run with strict true, 1 with false');
    await refused('merge 1 2 cut', 'cut/evidence.har: is not the evidence of the report beside it');
    await refused('merge 1 2 bare', 'bare/evidence.har: cannot be read');
    await refused('merge 1 2 3 --report-dir 2', '2 is the folder of 2, which would be lost');
    await refused('merge 1 2 3 --certify', '--operation leaves out operations');
    // Nothing of the shards was touched.
    expect((await cli('merge 1 2 3')).exitCode).toBe(0);
  });
});

describe.concurrent('run --shard refuses', () => {
  test.for([
    ['--shard 0/4', '--shard: 0/4 does not name a shard'],
    ['--shard 5/4', '--shard: 5/4 does not name a shard'],
    ['--shard two', '--shard: two does not name a shard'],
    ['--shard ', '--shard: an empty text does not name a shard'],
    ['--shard 1/23', '--shard: there are 23 shards, but the cases can be divided into at most 22'],
    ['--shard 1/2 --check ERROR-2', 'the cases can be divided into at most 0\n'],
    ['--shard 1/4 --concurrency 3', '--concurrency: 3 cannot be divided'],
    ['--shard 1/4 --max-requests 3', '--max-requests: 3 cannot be divided'],
    ['--shard 1/4 --no-evidence', '--no-evidence leaves nothing to merge'],
    ['--shard 1/4 --baseline b.yaml', 'pass it to merge'],
    ['--shard 1/4 --provoke-rate-limit', 'pass it to a separate run'],
    ['--shard 1/4 --certify', 'pass --certify to merge'],
  ] as const)('%s', async ([flags, message], { startCountingServer, refused }) => {
    const server = await startCountingServer();
    await refused(`run --base-url ${server.baseUrl} ${flags}`, message);
    expect(server.requests).toBe(0);
  });

  test('the embedded service, which would be another for each', async ({ refused }) => {
    await refused('run --shard 1/2', 'serve --write-target');
  });

  test('5/4 in a target file, and says where it stands', async ({ folder, refused }) => {
    const text = 'baseUrl: http://127.0.0.1:9\noptions: { shard: 5/4 }\n';
    await writeFile(join(folder, 'target.yaml'), text);
    await refused('run --target target.yaml', 'options.shard: 5/4 does not name a shard');
  });
});
