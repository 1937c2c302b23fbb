import picomatch from 'picomatch';
import { readFlags } from '../read-flags.ts';
import { consumerSituations } from './consumer.situations.ts';
import { contentSituations } from './content.situations.ts';
import { customChecksSituations } from './custom-checks.situations.ts';
import { projectSituations } from './project.situations.ts';
import { killRunning } from './run-process.ts';
import { runtimeSituations } from './runtime.situations.ts';
import { Sandbox } from './sandbox.ts';
import { userSituations } from './user.situations.ts';

const { values } = readFlags({
  options: { only: { type: 'string', default: '*' } },
});

const situations = [
  ...contentSituations,
  ...consumerSituations,
  ...customChecksSituations,
  ...projectSituations,
  ...userSituations,
  ...runtimeSituations,
];
const chosen = situations.filter(({ name }) =>
  picomatch.isMatch(name, values.only, { nocase: true, bash: true }),
);
if (chosen.length === 0) {
  process.stderr.write(`error: --only: no situation matches ${values.only}\n`);
  process.exit(2);
}

const sandbox = await Sandbox.open();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killRunning();
    void sandbox.close().finally(() => process.exit(130));
  });
}
let failed = 0;
try {
  for (const { name, holds } of chosen) {
    const start = performance.now();
    const line = (mark: string, remark: string | undefined): void => {
      const seconds = ((performance.now() - start) / 1_000).toFixed(1).padStart(6);
      process.stdout.write(`${mark} ${seconds} s  ${name}${remark === undefined ? '' : ` (${remark})`}\n`);
    };
    try {
      line('✓', await holds(sandbox));
    } catch (error) {
      failed += 1;
      line('✗', undefined);
      process.stdout.write(`${(error as Error).message.replace(/^/gm, '    ')}\n`);
    }
  }
} finally {
  await sandbox.close();
}
process.stdout.write(`${chosen.length - failed} of ${chosen.length} situations\n`);
process.exitCode = failed === 0 ? 0 : 1;
