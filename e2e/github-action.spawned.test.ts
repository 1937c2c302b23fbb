import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';
import { test as cliTest, programScript, readReport } from './cli-for-tests.ts';
import { type Action, readYaml } from './workflow-file-for-tests.ts';
import { type Outcome, type Runner, runAction, writeProgram } from './workflow-runner-for-tests.ts';

const action = await readYaml<Action>('action.yml');
const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
const bin = join('node_modules', '.bin', 'commerce-conformance');
const little = '--check AUTH-3\n--operation getApiKeyIdentity\n';

interface Given {
  readonly runner: Runner;
  /** Runs the action with what is installed in the workspace. */
  readonly act: (inputs: Record<string, string>, env?: Record<string, string>) => Promise<Outcome>;
}

const test = cliTest.extend<Given>({
  runner: async ({ folder }, use) => {
    const workspace = join(folder, 'work space');
    await writeProgram(join(workspace, bin), programScript);
    await use({ workspace, folder: join(folder, 'runner'), action, actionPath: packageRoot });
  },
  act: async ({ runner }, use) => {
    await use((inputs, env = {}) => runAction({ version: 'installed', ...inputs }, env, runner));
  },
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe.concurrent('the action', () => {
  test('tells what was found, keeps the report, and fails', async ({ serve, runner, act }) => {
    const { file } = await serve('--fault', 'missing-scope-is-answered-401');
    const { exitCode, outputs, log } = await act({ target: file, arguments: '--check SCOPE-1' });
    expect(exitCode, log).toBe(1);
    const folder = join(runner.workspace, 'conformance-report');
    const { summary, verdict } = await readReport(folder);
    expect(verdict).toBe('non-conformant');
    expect(outputs).toEqual({
      verdict,
      complete: 'false',
      'exit-code': '1',
      report: join(folder, 'report.json'),
      'report-dir': folder,
      pass: `${summary.pass}`,
      fail: `${summary.fail}`,
      warn: `${summary.warn}`,
      inconclusive: `${summary.inconclusive}`,
      error: '0',
    });
    expect(summary.fail).toBeGreaterThan(0);
    expect(log).toMatch(/^::error title=SCOPE-1/m);
    expect(await readFile(join(runner.folder, 'summary.md'), 'utf8')).toContain('SCOPE-1');
    const kept = await readdir(join(runner.folder, 'artifacts', 'conformance-report'));
    expect(kept.toSorted()).toEqual([
      'evidence.har',
      'junit.xml',
      'report.html',
      'report.json',
      'summary.md',
    ]);
  });

  test('passes where nothing is violated, in another folder, and keeps nothing where asked to', async ({
    serve,
    runner,
    act,
  }) => {
    const { file } = await serve();
    await mkdir(join(runner.workspace, 'packages', 'shop'), { recursive: true });
    const { exitCode, outputs, log } = await act({
      target: file,
      arguments: little,
      artifact: '',
      'working-directory': 'packages/shop',
      'report-dir': 'a report',
      format: '',
    });
    expect(exitCode, log).toBe(0);
    const report = join(runner.workspace, 'packages', 'shop', 'a report', 'report.json');
    expect(outputs).toMatchObject({ verdict: 'incomplete', 'exit-code': '0', fail: '0', report });
    expect(await exists(join(runner.folder, 'artifacts'))).toBe(false);
  });

  test('takes keys from the environment, and empty ones as none', async ({ serve, act }) => {
    const { target } = await serve();
    const inputs = {
      'base-url': target.baseUrl,
      arguments: '--check AUTH-3 \r\n\n  --operation=getApiKeyIdentity',
    };
    const env = { COMMERCE_KEY: target.keys.scoped, COMMERCE_KEY_UNSCOPED: '' };
    const { exitCode, log } = await act(inputs, env);
    expect(exitCode, log).toBe(0);
    expect(log).not.toContain(target.keys.scoped);
  });

  test('a shard with violations passes, for the merging tells them', async ({ serve, act }) => {
    const { file } = await serve('--fault', 'missing-scope-is-answered-401');
    const shard = { target: file, arguments: '--check SCOPE-1', shard: '1/1', 'report-dir': 'shards/1' };
    const { exitCode, outputs, log } = await act({ ...shard, artifact: '' });
    expect(exitCode, log).toBe(0);
    expect(outputs).toMatchObject({ verdict: 'non-conformant', 'exit-code': '1' });
    const merged = await act({ merge: 'shards' });
    expect(merged.exitCode, merged.log).toBe(1);
    expect(merged.outputs).toMatchObject({ verdict: 'non-conformant', 'exit-code': '1' });
  });

  test('says nothing of an older report', async ({ runner, act }) => {
    const folder = join(runner.workspace, 'conformance-report');
    await mkdir(folder);
    await writeFile(join(folder, 'report.json'), '{"verdict":"conformant"}');
    const { exitCode, outputs } = await act({ target: 'missing.yaml' });
    expect(exitCode).toBe(2);
    expect(outputs).toMatchObject({ verdict: '', 'exit-code': '2', report: '' });
  });

  test('is never green without a report', async ({ act }) => {
    const { exitCode, outputs, log } = await act({ 'base-url': 'http://127.0.0.1:1', arguments: '--help' });
    expect(exitCode, log).toBe(3);
    expect(outputs['verdict']).toBe('');
  });

  test('writes the report of what was done where the job is cancelled', async ({
    startCountingServer,
    runner,
  }) => {
    const server = await startCountingServer({ delayMs: 1_000 });
    const cancelled: Runner = {
      ...runner,
      onShell: (shell) => void server.asked.then(() => shell.kill('SIGINT')),
    };
    const inputs = { version: 'installed', 'base-url': server.baseUrl };
    const { exitCode, outputs, log } = await runAction(inputs, {}, cancelled);
    // The shell may pass the signal on as SIGTERM.
    expect([130, 143], log).toContain(exitCode);
    expect(outputs).toMatchObject({ verdict: 'incomplete', 'exit-code': String(exitCode) });
  });

  test.for([
    { says: 'nothing to test', inputs: {} },
    { says: 'COMMERCE_KEY', inputs: { target: 't.yaml', arguments: '--key secret' } },
    { says: 'COMMERCE_KEY', inputs: { target: 't.yaml', arguments: '--strict\n --unscoped-key=secret' } },
    { says: 'input of its own', inputs: { target: 't.yaml', arguments: '--report-dir=elsewhere' } },
    { says: 'one flag with its value', inputs: { target: 't.yaml', arguments: 'positional' } },
    { says: 'one flag with its value', inputs: { target: 't.yaml', arguments: '-- positional' } },
    { says: 'one flag with its value', inputs: { target: 't.yaml', arguments: '-h' } },
    { says: 'more than one line', inputs: { target: 't.yaml\nverdict=conformant' } },
    { says: 'more than one line', inputs: { target: 't.yaml', 'report-dir': 'r\nverdict=conformant' } },
    { says: 'report-dir is empty', inputs: { target: 't.yaml', 'report-dir': '' } },
    { says: 'leave out target', inputs: { target: 't.yaml', merge: 'shards' } },
  ])('refuses $inputs', async ({ says, inputs }, { act }) => {
    const { exitCode, outputs, log } = await act(inputs);
    expect(exitCode).toBe(2);
    expect(log).toMatch(/^::error title=commerce-conformance::/);
    expect(log).toContain(says);
    expect(log).not.toContain('secret');
    expect(outputs).toMatchObject({ verdict: '', 'exit-code': '2' });
  });

  test('runs no input as a command, and hands each on as it is', async ({ runner, act }) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression, as somebody would try to have it run
    const nasty = '$(touch ran); `touch ran` && touch ran # "\' * ${IFS} ${{ github.token }}';
    await writeProgram(
      join(runner.workspace, bin),
      `#!/bin/sh\nprintf '<%s>\\n' "$@" > "$RUNNER_TEMP/given"\nexit 1\n`,
    );
    const { exitCode } = await act({
      target: nasty,
      'base-url': nasty,
      format: nasty,
      'report-dir': nasty,
      arguments: `--header ${nasty}\n--spec=${nasty}\n--rate  10`,
    });
    expect(exitCode).toBe(1);
    expect((await readFile(join(runner.folder, 'temp', 'given'), 'utf8')).trim().split('\n')).toEqual([
      '<run>',
      `<--report-dir=${nasty}>`,
      `<--format=${nasty}>`,
      `<--target=${nasty}>`,
      `<--base-url=${nasty}>`,
      '<--header>',
      `<${nasty}>`,
      `<--spec=${nasty}>`,
      '<--rate>',
      '<10>',
    ]);
    expect(await exists(join(runner.workspace, 'ran'))).toBe(false);
    const merged = await act({ merge: nasty, 'report-dir': 'r' });
    expect(merged.exitCode).toBe(1);
    const given = await readFile(join(runner.folder, 'temp', 'given'), 'utf8');
    expect(given).toContain(`<-->\n<${nasty}/*>`);
    expect(await exists(join(runner.workspace, 'ran'))).toBe(false);
  });
});

describe.concurrent('the action installs', () => {
  const npm = `#!/bin/sh
printf '<%s>\\n' "$@" > "$RUNNER_TEMP/npm"
mkdir -p "$3/node_modules/.bin"
printf '#!/bin/sh\\nexit 130\\n' > "$3/node_modules/.bin/commerce-conformance"
chmod +x "$3/node_modules/.bin/commerce-conformance"
`;

  test.for([
    { asked: '', installed: version },
    { asked: '1.2.3-next.4', installed: '1.2.3-next.4' },
  ])('$installed where version is "$asked"', async ({ asked, installed }, { runner }) => {
    await writeProgram(join(runner.folder, 'bin', 'npm'), npm);
    const env = { PATH: `${join(runner.folder, 'bin')}:${process.env['PATH']}` };
    const { exitCode, log } = await runAction({ version: asked, target: 't.yaml' }, env, runner);
    expect(exitCode, log).toBe(130);
    const given = (await readFile(join(runner.folder, 'temp', 'npm'), 'utf8')).trim().split('\n');
    expect(given[0]).toBe('<install>');
    expect(given).toContain('<--ignore-scripts>');
    expect(given.at(-1)).toBe(`<commerce-conformance@${installed}>`);
  });

  test.for([
    'latest',
    '^1.0.0',
    '1.2',
    'file:../evil',
    'npm:evil@1.0.0',
    '1.2.3; touch ran',
    '1.2.3\n1',
    '--version',
  ])('nothing where version is "%s"', async (asked, { runner }) => {
    await writeProgram(join(runner.folder, 'bin', 'npm'), npm);
    const env = { PATH: `${join(runner.folder, 'bin')}:${process.env['PATH']}` };
    const { exitCode, log } = await runAction({ version: asked, target: 't.yaml' }, env, runner);
    expect(exitCode).toBe(2);
    expect(log).toContain('neither a version in full');
    expect(await exists(join(runner.folder, 'temp', 'npm'))).toBe(false);
  });

  test('nothing where it ought to be installed and is not', async ({ folder }) => {
    const runner = { workspace: folder, folder: join(folder, 'runner'), action, actionPath: packageRoot };
    const { exitCode, log } = await runAction({ version: 'installed', target: 't.yaml' }, {}, runner);
    expect(exitCode).toBe(2);
    expect(log).toContain('have the job install the dependencies first');
  });

  test('nothing on a Node.js that is too old', async ({ runner }) => {
    const actionPath = join(runner.folder, 'action');
    await mkdir(actionPath, { recursive: true });
    const future = { version, engines: { node: '>=999.1' } };
    await writeFile(join(actionPath, 'package.json'), JSON.stringify(future));
    const { exitCode, log } = await runAction({ target: 't.yaml' }, {}, { ...runner, actionPath });
    expect(exitCode).toBe(2);
    expect(log).toContain('this needs Node.js >=999.1');
  });
});
