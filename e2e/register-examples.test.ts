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

/** Verifies a pull request that adds these certificates, with a harness that says this; returns the calls and the comment. */
async function submit(
  folder: string,
  entries: readonly string[],
  says: string,
): Promise<{ readonly head: string; readonly calls: string; readonly comment: string }> {
  const git = (...args: readonly string[]): Promise<unknown> =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('commit', '--quiet', '--allow-empty', '--message', 'empty');
  await git('checkout', '--quiet', '-b', 'submission');
  for (const name of entries) {
    await mkdir(join(folder, 'certificates', name), { recursive: true });
    await writeFile(join(folder, 'certificates', name, 'certificate.json'), '{}');
  }
  await writeFile(join(folder, 'package.json'), '{"scripts":{"preinstall":"touch ran"}}');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'submission');
  const { stdout: head } = await run('git', ['rev-parse', 'HEAD'], { cwd: folder });
  await git('checkout', '--quiet', 'main');
  await git('remote', 'add', 'origin', '.');
  const told = (name: string): string => `#!/bin/sh\necho "${name} $@" >> calls.txt\n${says}\n`;
  await runLast(
    ['register-submission.github.yml', 'verify'],
    folder,
    { gh: told('gh'), npx: told('npx') },
    { HEAD: head.trim(), NUMBER: '5' },
  );
  return {
    head: head.trim(),
    calls: await readFile(join(folder, 'calls.txt'), 'utf8'),
    comment: await readFile(join(folder, 'comment.md'), 'utf8'),
  };
}

test('verify the files of a submission, and run nothing of it', async ({ folder }) => {
  const entries = ['acme', '-rf', 'umbrella; touch ran'];
  const { head, calls, comment } = await submit(folder, entries, 'echo claims');
  expect(calls).toBe(
    'npx commerce-conformance verify submitted/acme --owner-key owner-public.pem --require challenged\n' +
      'gh pr comment 5 --edit-last --create-if-none --body-file comment.md\n',
  );
  expect(comment).toContain(`Files of the commit ${head}\n`);
  expect(comment).toContain('changes more than certificates');
  expect(comment).toContain('## acme\n\n    claims\n');
  await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT');
});

test('say what of a long result the comment leaves out', async ({ folder }) => {
  const says = 'echo The certificate is valid; head -c 100000 /dev/zero | tr "\\0" x; echo; echo the end';
  const { comment } = await submit(folder, ['acme', 'umbrella'], says);
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).not.toContain('the end');
  for (const name of ['acme', 'umbrella'])
    expect(comment).toMatch(
      new RegExp(`## ${name}\n\n\\*\\*The last \\d+ bytes are cut: .*\n\n    The certificate is valid\n`),
    );
});

test('say how many entries of a large submission were not verified', async ({ folder }) => {
  const names = Array.from({ length: 23 }, (_, at) => `entry-${at}`);
  const { comment, calls } = await submit(folder, names, 'echo claims');
  expect(calls.match(/ verify /g)).toHaveLength(20);
  expect(comment).toContain('**3 more entries were not verified');
});
