import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../spec/package-root.ts';
import { commandTest, runCli } from './cli-for-tests.ts';
import { readYaml, type Workflow } from './workflow-file-for-tests.ts';
import { writeProgram } from './workflow-runner-for-tests.ts';

const run = promisify(execFile);
const examples = join(packageRoot, 'docs', 'examples');
const names = (await readdir(examples)).filter((name) => name.startsWith('register-'));

const test = commandTest(runCli);

/** Runs the last script of a job in a folder with these programs, as a runner of GitHub does. */
async function runLast(
  [name, job]: readonly [file: string, job: string],
  folder: string,
  programs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { jobs } = await readYaml<Workflow>(join('docs', 'examples', name));
  const script = jobs[job]?.steps?.findLast(({ run: one }) => one !== undefined)?.run ?? '';
  for (const [program, text] of Object.entries(programs))
    await writeProgram(join(folder, 'bin', program), text);
  await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...env },
  });
}

test('are YAML, and docs/running-a-programme.md links all of them', async () => {
  const guide = await readFile(join(packageRoot, 'docs', 'running-a-programme.md'), 'utf8');
  for (const name of names) {
    expect(parse(await readFile(join(examples, name), 'utf8'))).toBeTypeOf('object');
    expect(guide).toContain(`](examples/${name})`);
  }
  expect(names).toHaveLength(4);
});

test('give the token of the workflow to no job that runs more than it needs', async () => {
  for (const name of names.filter((one) => one.endsWith('.github.yml')))
    expect(parse(await readFile(join(examples, name), 'utf8'))).toMatchObject({
      permissions: { contents: 'read' },
    });
});

test('keep one issue for each entry: one is updated, another is opened', async ({ folder }) => {
  await mkdir(join(folder, 'spot-checks'));
  for (const entry of ['acme', 'umbrella'])
    await writeFile(join(folder, 'spot-checks', `${entry}.md`), `about ${entry}\n`);
  const gh = `#!/bin/sh\nif [ "$2" = list ]; then echo '[{"number":7,"title":"Spot check: acme"},{"number":8,"title":"Spot check: acme-pro"}]'; else echo "$@" >> calls.txt; fi\n`;
  // jq is on the runners of GitHub, and perhaps not here.
  const jq = `#!${process.execPath}\nlet text = '';process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(JSON.parse(text).filter(({ title }) => title === process.env.TITLE)[0]?.number ?? ''));\n`;
  await runLast(['register-watch.github.yml', 'report'], folder, { gh, jq });
  expect((await readFile(join(folder, 'calls.txt'), 'utf8')).split('\n')).toEqual([
    'issue edit 7 --body-file spot-checks/acme.md',
    'issue create --title Spot check: umbrella --body-file spot-checks/umbrella.md',
    '',
  ]);
});

test('verify the files of a submission, and run nothing of it', async ({ folder }) => {
  const git = (...args: readonly string[]): Promise<unknown> =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('commit', '--quiet', '--allow-empty', '--message', 'empty');
  await git('checkout', '--quiet', '-b', 'submission');
  for (const name of ['acme', '-rf', 'umbrella; touch ran']) {
    await mkdir(join(folder, 'certificates', name), { recursive: true });
    await writeFile(join(folder, 'certificates', name, 'certificate.json'), '{}');
  }
  await writeFile(join(folder, 'package.json'), '{"scripts":{"preinstall":"touch ran"}}');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'submission');
  const { stdout: head } = await run('git', ['rev-parse', 'HEAD'], { cwd: folder });
  await git('checkout', '--quiet', 'main');
  await git('remote', 'add', 'origin', '.');
  const told = (name: string): string => `#!/bin/sh\necho "${name} $@" >> calls.txt\necho claims\n`;
  await runLast(
    ['register-submission.github.yml', 'verify'],
    folder,
    { gh: told('gh'), npx: told('npx') },
    { HEAD: head.trim(), NUMBER: '5' },
  );
  const calls = await readFile(join(folder, 'calls.txt'), 'utf8');
  expect(calls).toBe(
    'npx commerce-conformance verify submitted/acme --owner-key owner-public.pem --require challenged\n' +
      'gh pr comment 5 --edit-last --create-if-none --body-file comment.md\n',
  );
  const comment = await readFile(join(folder, 'comment.md'), 'utf8');
  expect(comment).toContain('changes more than certificates');
  expect(comment).toContain('## acme\n\n    claims\n');
  await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT');
});
