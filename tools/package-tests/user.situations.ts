import { chmod, chown } from 'node:fs/promises';
import type { Circumstances } from './run-process.ts';
import type { Situation } from './situation.ts';
import type { Workbench } from './sandbox.ts';

/** User and group of nobody in particular, where this process may become another. */
const stranger: number | undefined = process.getuid?.() === 0 ? 65_534 : undefined;
const remark = stranger === undefined ? 'as the same user: only root can become another' : undefined;

/** Who runs the package, and what they may write to. */
export const userSituations: readonly Situation[] = [
  {
    name: 'read-only node_modules',
    holds: async (bench) => {
      const project = await bench.installed('read-only');
      await bench.run('chmod', ['-R', 'a-w', 'node_modules'], project);
      await judgesAsStranger(bench, project, {});
      return remark;
    },
  },
  {
    name: 'another user, without HOME',
    holds: async (bench) => {
      const { HOME: _home, USER: _user, LOGNAME: _name, ...env } = bench.env;
      await judgesAsStranger(bench, await bench.installed('another-user'), { env });
      return remark;
    },
  },
  {
    name: 'another user, with a HOME that cannot be written to',
    holds: async (bench) => {
      const home = await bench.emptyFolder('home');
      await chmod(home, 0o555);
      await judgesAsStranger(bench, await bench.installed('unwritable-home'), {
        env: { ...bench.env, HOME: home },
      });
      return remark;
    },
  },
];

/** The project itself may be written to, or there would be no place for the report. */
async function judgesAsStranger(
  bench: Workbench,
  project: string,
  circumstances: Partial<Circumstances>,
): Promise<void> {
  if (stranger !== undefined) await chown(project, stranger, stranger);
  await bench.judges('npx', ['--no', '--', 'commerce-conformance'], project, {
    ...circumstances,
    id: stranger,
  });
}
