import { chmod, chown } from 'node:fs/promises';
import type { Circumstances } from './run-process.ts';
import type { RunContext } from './sandbox.ts';
import type { Situation } from './situation.ts';

/** User and group of nobody in particular, where this process may become another. */
const stranger: number | undefined = process.getuid?.() === 0 ? 65_534 : undefined;
const remark = stranger === undefined ? 'as the same user: only root can become another' : undefined;

/** Who runs the package, and what they may write to. */
export const userSituations: readonly Situation[] = [
  {
    name: 'read-only node_modules',
    holds: async (context) => {
      const project = await context.installed('read-only');
      await context.run('chmod', ['-R', 'a-w', 'node_modules'], project);
      await runsAsStranger(context, project, {});
      return remark;
    },
  },
  {
    name: 'another user, without HOME',
    holds: async (context) => {
      const { HOME: _home, USER: _user, LOGNAME: _name, ...env } = context.env;
      await runsAsStranger(context, await context.installed('another-user'), { env });
      return remark;
    },
  },
  {
    name: 'another user, with a HOME that cannot be written to',
    holds: async (context) => {
      const home = await context.emptyFolder('home');
      await chmod(home, 0o555);
      await runsAsStranger(context, await context.installed('unwritable-home'), {
        env: { ...context.env, HOME: home },
      });
      return remark;
    },
  },
];

/** The project itself may be written to, or there would be no place for the report. */
async function runsAsStranger(
  context: RunContext,
  project: string,
  circumstances: Partial<Circumstances>,
): Promise<void> {
  if (stranger !== undefined) await chown(project, stranger, stranger);
  await context.evaluates('npx', ['--no', '--', 'commerce-conformance'], project, {
    ...circumstances,
    id: stranger,
  });
}
