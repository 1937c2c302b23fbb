import { execFile } from 'node:child_process';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import { readReport, runCli, test } from './cli-for-tests.ts';
import { validateIssueForm } from './issue-form-schema-for-tests.ts';
import { type Action, readYaml, type Step, type Workflow } from './workflow-file-for-tests.ts';

const run = promisify(execFile);
const folder = '.github/workflows';
const names = await readdir(join(packageRoot, folder));
const workflows = await Promise.all(
  names.map(async (file) => ({ ...(await readYaml<Workflow>(`${folder}/${file}`)), file })),
);
const action = await readYaml<Action>('action.yml');
const steps: ReadonlyArray<{ readonly where: string; readonly step: Step }> = [
  ...action.runs.steps.map((step) => ({ where: 'action.yml', step })),
  ...workflows.flatMap(({ file, jobs }) =>
    Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step) => ({ where: file, step }))),
  ),
];

/** The path of a tool that a variable names or that is on the PATH; undefined where it is not. */
async function tool(name: string): Promise<string | undefined> {
  const onPath = run('sh', ['-c', `command -v ${name}`]).then(({ stdout }) => stdout.trim());
  return process.env[name.toUpperCase()] ?? onPath.catch(() => undefined);
}

const actionlint = await tool('actionlint');
const shellcheck = await tool('shellcheck');

describe('workflows and the action', () => {
  test('name what they use by commit, with the version beside it', async () => {
    const texts = await Promise.all(
      ['action.yml', ...names.map((name) => `${folder}/${name}`)].map((path) =>
        readFile(join(packageRoot, path), 'utf8'),
      ),
    );
    const lines = texts.flatMap((text) =>
      [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, used = '']) => used),
    );
    expect(lines).toHaveLength(steps.filter(({ step }) => step.uses !== undefined).length);
    const foreign = lines.filter((used) => !used.startsWith('./'));
    for (const used of foreign) expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const actions = foreign.map((used) => used.split('@')[0]);
    expect(new Set(foreign).size, 'one version of each').toBe(new Set(actions).size);
  });

  test('hand no expression to a shell', () => {
    for (const { where, step } of steps) expect(step.run ?? '', where).not.toContain('$' + '{{');
    for (const { run: script, shell } of action.runs.steps)
      if (script !== undefined) expect(shell).toBe('bash');
  });

  test.for(workflows)('$file asks for little, and ends', ({ file, permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const [id, job] of Object.entries(jobs)) {
      expect(job['timeout-minutes'], id).toBeDefined();
      const writes = Object.entries(job.permissions ?? {}).filter(([, level]) => level === 'write');
      const allowed =
        file === 'release.yml'
          ? { publish: 'id-token', image: 'packages', announce: 'contents' }[id]
          : undefined;
      expect(writes.map(([scope]) => scope)).toEqual(allowed === undefined ? [] : [allowed]);
      for (const { uses, with: given } of job.steps ?? []) {
        if (uses?.startsWith('actions/checkout@') !== true || allowed === 'contents') continue;
        expect(given?.['persist-credentials'], id).toBe(false);
      }
    }
  });

  test.skipIf(actionlint === undefined)(
    'pass actionlint, which is looked for on the PATH and in ACTIONLINT',
    async () => {
      const flags = shellcheck === undefined ? [] : ['-shellcheck', shellcheck];
      const { stdout } = await run(actionlint ?? '', ['-color=false', ...flags], { cwd: packageRoot }).catch(
        (error: { readonly stdout: string }) => error,
      );
      expect(stdout).toBe('');
    },
  );

  test.skipIf(shellcheck === undefined)(
    'have shell steps that pass shellcheck, looked for on the PATH and in SHELLCHECK',
    async ({ folder: temporary }) => {
      for (const [at, { run: script, env = {} }] of action.runs.steps.entries()) {
        if (script === undefined) continue;
        const file = join(temporary, `${at}.sh`);
        const given = Object.keys(env).map((name) => `export ${name}="$1"\n`);
        await writeFile(file, `${given.join('')}${script}`);
        const { stdout } = await run(shellcheck ?? '', ['--shell=bash', file]).catch(
          (error: { readonly stdout: string }) => error,
        );
        expect(stdout).toBe('');
      }
    },
  );
});

describe('issue forms', async () => {
  const templates = '.github/ISSUE_TEMPLATE';
  const files = (await readdir(join(packageRoot, templates))).filter((name) => name !== 'config.yml');

  interface Form {
    readonly name: string;
    readonly body: ReadonlyArray<{
      readonly id?: string;
      readonly type: string;
      readonly attributes: { readonly label?: string };
    }>;
  }

  test.for(files)('%s has the form that GitHub asks for', async (file) => {
    const form = await readYaml<Form>(`${templates}/${file}`);
    validateIssueForm(form);
    expect(validateIssueForm.errors ?? []).toEqual([]);
    const given = form.body.filter(({ type }) => type !== 'markdown');
    for (const values of [given.map(({ id }) => id), given.map(({ attributes }) => attributes.label)]) {
      expect(new Set(values).size).toBe(given.length);
    }
  });

  test('leave no way around them', async () => {
    expect(await readYaml(`${templates}/config.yml`)).toEqual({ blank_issues_enabled: false });
    expect(files).toEqual(expect.arrayContaining(['bug.yml', 'idea.yml']));
  });
});

describe('dependabot', async () => {
  const { updates } = await readYaml<{
    readonly updates: ReadonlyArray<{
      readonly 'package-ecosystem': string;
      readonly groups: object;
      readonly ignore?: ReadonlyArray<{
        readonly 'dependency-name': string;
        readonly versions: readonly string[];
      }>;
    }>;
  }>('.github/dependabot.yml');

  test('looks at packages and actions, in groups', () => {
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
    for (const { groups } of updates) expect(Object.keys(groups)).not.toEqual([]);
  });

  test('leaves out just the next major version of what has to stay', async () => {
    const { dependencies, devDependencies } = parse(
      await readFile(join(packageRoot, 'package.json'), 'utf8'),
    );
    const ranges: Readonly<Record<string, string>> = { ...dependencies, ...devDependencies };
    const ignored = updates.flatMap(({ ignore = [] }) => ignore);
    expect(ignored.map((entry) => entry['dependency-name'])).toContain('undici');
    for (const { 'dependency-name': name, versions } of ignored) {
      const major = Number(/\d+/.exec(ranges[name] ?? '')?.[0]);
      expect(versions, name).toEqual([`>=${major + 1}`]);
    }
  });
});

test('CODEOWNERS names what exists', async () => {
  const text = await readFile(join(packageRoot, '.github', 'CODEOWNERS'), 'utf8');
  const [all, ...rules] = text.split('\n').filter((line) => /^[*/]/.test(line));
  expect(all).toMatch(/^\* +@\S+\/\S+$/);
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) {
    const [, path = ''] = /^\/(\S+) +@\S+\/\S+$/.exec(rule) ?? [];
    await access(join(packageRoot, path));
  }
});

test('SECURITY.md and the pull request template link to what exists', async () => {
  for (const name of ['SECURITY.md', 'PULL_REQUEST_TEMPLATE.md']) {
    const text = await readFile(join(packageRoot, '.github', name), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)/g))
      await access(join(packageRoot, '.github', target));
  }
});

test('ci.yml runs the action on a conforming and on a faulty service', async ({ serve, folder }) => {
  const { jobs } = await readYaml<Workflow>('.github/workflows/ci.yml');
  const own = jobs['action']?.steps ?? [];
  const served = own.find(({ run: script }) => script?.includes(' serve '))?.run ?? '';
  const commands = [...served.matchAll(/ serve --write-target (\S+)(.*?) >/g)];
  expect(commands.map(([, file]) => file)).toEqual(['sound.yaml', 'faulty.yaml']);
  const told: Record<string, string> = {};
  for (const [, file, flags = ''] of commands) {
    const step = own.find(({ with: given }) => given?.['target'] === file);
    const { file: target } = await serve(...flags.split(' ').filter((flag) => flag !== ''));
    const extra = `${step?.with?.['arguments'] ?? ''}`.split(' ').filter((flag) => flag !== '');
    const dir = join(folder, `${step?.id}`);
    const { exitCode } = await runCli(['run', '--target', target, ...extra, '--report-dir', dir], {});
    told[`${step?.id}`.toUpperCase()] = `${(await readReport(dir)).verdict} ${exitCode}`;
  }
  const held = own.at(-1)?.run ?? '';
  expect(held).toContain(`[ "$SOUND" = '${told['SOUND']}' ]`);
  expect(held).toContain(`[ "$FAULTY" = '${told['FAULTY']} failure' ]`);
});
