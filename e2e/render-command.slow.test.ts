import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect } from 'vitest';
import { withFreshReproductions } from '../harness/results/fresh-reproductions.ts';
import { serialiseReport } from '../reporters/json/write-report.ts';
import { renderJunit } from '../reporters/junit/render-junit.ts';
import { renderMarkdown } from '../reporters/markdown/render-markdown.ts';
import { allGreen, oneFailure } from '../reporters/testing/sample-reports-for-tests.ts';
import { readReport } from './cli-for-tests.ts';
import { test } from './in-process-for-tests.ts';

/** The report as commands read it: curl lines are never taken from a file. */
const asRead = withFreshReproductions(oneFailure);

async function givenReport(folder: string, text: string = serialiseReport(oneFailure)): Promise<void> {
  await mkdir(join(folder, 'given'));
  await writeFile(join(folder, 'given', 'report.json'), text);
}

describe.concurrent('render', () => {
  test('writes beside the report, and says what and where', async ({ folder, cli }) => {
    await givenReport(folder);
    const args = ['render', 'given/report.json', '--format', 'junit,markdown', '--format', 'badge'];
    const { exitCode, stdout, stderr } = await cli(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['junit', join(folder, 'given', 'junit.xml')],
      ['markdown', join(folder, 'given', 'summary.md')],
      ['badge', `${join(folder, 'given', 'badge.svg')}, ${join(folder, 'given', 'badge.json')}`],
      [''],
    ]);
    expect((await readdir(join(folder, 'given'))).sort()).toEqual([
      'badge.json',
      'badge.svg',
      'junit.xml',
      'report.json',
      'summary.md',
    ]);
    expect(await readFile(join(folder, 'given', 'junit.xml'), 'utf8')).toBe(renderJunit(asRead));
  });

  test('takes a folder, and makes another where --out says so', async ({ folder, cli }) => {
    await givenReport(folder);
    const { exitCode } = await cli('render given --format allure,json --out new/place');
    expect(exitCode).toBe(0);
    expect((await readdir(join(folder, 'new', 'place'))).sort()).toEqual(['allure-results', 'report.json']);
    expect(await readReport(join(folder, 'new', 'place'))).toEqual(asRead);
    expect(await readdir(join(folder, 'given'))).toEqual(['report.json']);
  });

  test('leaves the report that it reads as it is', async ({ folder, cli }) => {
    const text = JSON.stringify(oneFailure);
    await givenReport(folder, text);
    const { exitCode } = await cli('render given --format json,junit');
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'given', 'report.json'), 'utf8')).toBe(text);
  });

  test('writes one format to standard output, and nothing else', async ({ folder, cli }) => {
    await givenReport(folder);
    const { exitCode, stdout } = await cli('render given --format markdown --out -');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: renderMarkdown(asRead) });
    expect(await readdir(join(folder, 'given'))).toEqual(['report.json']);
  });

  test.for(['junit,markdown', 'badge', 'allure'])(
    'refuses to write %s to standard output',
    async (format, { folder, refused }) => {
      await givenReport(folder);
      await refused(`render given --format ${format} --out -`, '--out -: only one format of one file');
    },
  );

  test('appends Markdown to the summary of a job', async ({ folder, cli }) => {
    await givenReport(folder);
    await writeFile(join(folder, 'job.md'), '# Earlier\n');
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'job.md') };
    const { exitCode } = await cli('render given --format markdown', env);
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'job.md'), 'utf8')).toBe(`# Earlier\n${renderMarkdown(asRead)}\n`);
  });
});

describe.concurrent('render refuses', () => {
  const whole = serialiseReport(oneFailure);

  test.for([
    ['an empty file', '', 'Not a report: the file is empty.'],
    ['another file', 'PASS', 'Not a report: the file is not JSON.'],
    ['other JSON', '{"tests":3}', 'Not a report of commerce-conformance'],
    [
      'a truncated report',
      whole.slice(0, whole.length / 2),
      'Not a whole report: the JSON is cut off or damaged.',
    ],
    [
      'another version',
      whole.replace('"schemaVersion": "1.1"', '"schemaVersion": "9.0"'),
      'this version reads 1.0 and 1.1',
    ],
    ['a report that contradicts itself', whole.replace('"fail": 1,', '"fail": 0,'), 'summary.fail is 0'],
  ] as const)('%s', async ([, text, message], { folder, refused }) => {
    await givenReport(folder, text);
    await refused('render given/report.json --format junit', ['error: given/report.json: ', message]);
    expect(await readdir(join(folder, 'given'))).toEqual(['report.json']);
  });

  test('a folder that it cannot write to', async ({ folder, refused }) => {
    await givenReport(folder);
    await refused('render given --format junit --out given/report.json/x', '--out: no report can be written');
  });
});

describe.concurrent('run --format', () => {
  test('writes what is asked for beside report.json, all of the same run', async ({ folder, cli }) => {
    const { exitCode, stdout } = await cli('run --format junit,markdown,badge,allure');
    expect(exitCode, stdout).toBe(0);
    const dir = join(folder, 'conformance-report');
    expect((await readdir(dir)).sort()).toEqual([
      'allure-results',
      'badge.json',
      'badge.svg',
      'evidence.har',
      'junit.xml',
      'report.json',
      'summary.md',
    ]);
    const report = await readReport(dir);
    const junit = await readFile(join(dir, 'junit.xml'), 'utf8');
    expect(junit).toBe(renderJunit(report));
    expect(XMLValidator.validate(junit)).toBe(true);
    expect(await readFile(join(dir, 'summary.md'), 'utf8')).toBe(renderMarkdown(report));
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .slice(-4)
        .map((line) => line.trim().split(' ')[0]),
    ).toEqual(['junit', 'markdown', 'badge', 'allure']);
    expect(stdout).not.toContain('::');
  });

  test('may stand in the target file', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    await writeFile(
      file,
      `${await readFile(file, 'utf8')}\noptions: { format: [junit], operation: getPublicBootstrap }\n`,
    );
    const { exitCode, stderr } = await cli(`run --target ${file}`);
    expect(exitCode, stderr).toBe(0);
    expect((await readdir(join(folder, 'conformance-report'))).sort()).toEqual([
      'evidence.har',
      'junit.xml',
      'report.json',
    ]);
  });

  test('that is not known in the target file is refused there', async ({ folder, refused }) => {
    await writeFile(join(folder, 't.yaml'), 'baseUrl: http://127.0.0.1:9\noptions: { format: markdwon }\n');
    await refused('run --target t.yaml', 'options.format: there is no format markdwon');
  });

  test('loses an earlier file of the same format before anything is sent', async ({ folder, refused }) => {
    const dir = join(folder, 'conformance-report');
    await mkdir(join(dir, 'junit.xml'), { recursive: true });
    await refused('run --format junit', /--report-dir: no report can be written to \S*conformance-report/);
  });
});

describe.concurrent('run in GitHub Actions', () => {
  test('makes annotations and a job summary, and lets no word of the target reach the runner', async ({
    folder,
    serve,
    cli,
  }) => {
    const { file } = await serve('--fault', 'create-answers-201');
    const summary = join(folder, 'job.md');
    const { exitCode, stdout } = await cli(`run --target ${file} --operation createHostedCheckoutSession`, {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(exitCode).toBe(1);
    const [token] = /(?<=^::stop-commands::)[0-9a-f-]{36}$/m.exec(stdout) ?? [];
    expect(token).toBeDefined();
    const after = stdout.slice(stdout.indexOf(`\n::${token}::\n`));
    expect(after).toMatch(/^::error title=SUCCESS-1 must {2}createHostedCheckoutSession%3A /m);
    expect(await readFile(summary, 'utf8')).toMatch(/^## ✗ non-conformant\n/);
    expect(await readdir(join(folder, 'conformance-report'))).toContain('summary.md');
  });

  test('that cannot write the job summary says so, and is no success', async ({ folder, serve, cli }) => {
    const { file } = await serve();
    const { exitCode, stderr } = await cli(`run --target ${file} --operation getPublicBootstrap`, {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: folder,
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('error: the job summary could not be written: EISDIR');
  });
});

test('a green report reads green in every format', async ({ folder, cli }) => {
  await givenReport(folder, serialiseReport(allGreen));
  const { exitCode } = await cli('render given --format badge,markdown');
  expect(exitCode).toBe(0);
  expect(await readFile(join(folder, 'given', 'badge.json'), 'utf8')).toContain(
    '"message": "conformant, profile standard"',
  );
  expect(await readFile(join(folder, 'given', 'summary.md'), 'utf8')).toMatch(/^## ✓ conformant\n/);
});
