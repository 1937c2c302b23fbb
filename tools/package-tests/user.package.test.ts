import type { ExecFileOptions } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { test } from 'vitest';
import { evaluatesProject, folderWith, installed, plainEnvironment, run } from './sandbox-for-tests.ts';

/** User and group of nobody in particular, if this process may become another; otherwise the tests run as the same user. */
const stranger: number | undefined = process.getuid?.() === 0 ? 65_534 : undefined;

test('runs with read-only node_modules', async () => {
  const project = await installed('read-only');
  await run('chmod', ['-R', 'a-w', 'node_modules'], project);
  await runsAsStranger(project);
});

test('runs as another user, without HOME', async () => {
  const { HOME: _home, USER: _user, LOGNAME: _name, ...env } = plainEnvironment;
  await runsAsStranger(await installed('another-user'), { env });
});

test('runs as another user, with a HOME that cannot be written to', async () => {
  const home = await folderWith('home');
  await chmod(home, 0o555);
  await runsAsStranger(await installed('unwritable-home'), { env: { ...plainEnvironment, HOME: home } });
});

/** The project itself may be written to, or there would be no place for the report. */
async function runsAsStranger(project: string, options: ExecFileOptions = {}): Promise<void> {
  if (stranger !== undefined) await chown(project, stranger, stranger);
  const id = stranger === undefined ? {} : { uid: stranger, gid: stranger };
  await evaluatesProject(project, { ...options, ...id });
}
