import { chmod, chown } from 'node:fs/promises';
import type { Circumstances } from './run-process.ts';
import type { Sandbox } from './sandbox.ts';
import type { Situation } from './situation.ts';

/** User and group of nobody in particular, where this process may become another. */
const stranger: number | undefined = process.getuid?.() === 0 ? 65_534 : undefined;
const remark = stranger === undefined ? 'as the same user: only root can become another' : undefined;

/** Who runs the package, and what they may write to. */
export const userSituations: readonly Situation[] = [
  {
    name: 'read-only node_modules',
    holds: async (sandbox) => {
      const project = await sandbox.installed('read-only');
      await sandbox.run('chmod', ['-R', 'a-w', 'node_modules'], project);
      await runsAsStranger(sandbox, project, {});
      return remark;
    },
  },
  {
    name: 'another user, without HOME',
    holds: async (sandbox) => {
      const { HOME: _home, USER: _user, LOGNAME: _name, ...env } = sandbox.env;
      await runsAsStranger(sandbox, await sandbox.installed('another-user'), { env });
      return remark;
    },
  },
  {
    name: 'another user, with a HOME that cannot be written to',
    holds: async (sandbox) => {
      const home = await sandbox.emptyFolder('home');
      await chmod(home, 0o555);
      await runsAsStranger(sandbox, await sandbox.installed('unwritable-home'), {
        env: { ...sandbox.env, HOME: home },
      });
      return remark;
    },
  },
];

/** The project itself may be written to, or there would be no place for the report. */
async function runsAsStranger(
  sandbox: Sandbox,
  project: string,
  circumstances: Partial<Circumstances>,
): Promise<void> {
  if (stranger !== undefined) await chown(project, stranger, stranger);
  await sandbox.evaluates('npx', ['--no', '--', 'commerce-conformance'], project, {
    ...circumstances,
    id: stranger,
  });
}
