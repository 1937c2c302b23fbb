import { plannedCases, requestsOf, sendingCases } from '../../harness/engine/run/plan.ts';
import { planByFactor } from '../../harness/engine/run/plan-by-factor.ts';
import { type RunFlags, targetOptions } from '../../spec/options.ts';
import type { CommandDefinition } from '../command-list.ts';
import { planSettings, readSettings } from '../options/read-settings.ts';

/** `plan`: the cases and requests of a run; sends nothing. */
export const command: CommandDefinition = {
  after: "Example:\n  npx commerce-conformance plan --check 'auth/*'",
  options: targetOptions,
  run: plan,
};

async function plan(flags: RunFlags): Promise<void> {
  const settings = await readSettings(flags);
  await settings.release();
  const { catalogue, plan: planned, sending } = await planSettings(settings);
  const cases = plannedCases(planned);
  const rows = catalogue.checks.flatMap((check) => {
    const active = sendingCases(planned, sending).filter((one) => one.check.id === check.id);
    const count = cases.filter((one) => one.check.id === check.id).length;
    const requests = active.reduce((sum, one) => sum + requestsOf(one, sending), 0);
    return count === 0 ? [] : [{ check, count, requests }];
  });
  const width = Math.max(...rows.map(({ check }) => check.id.length));
  const lines = rows.map(({ check, count, requests }) => {
    const sends =
      check.kind === 'active'
        ? `${requests} ${requests === 1 ? 'request' : 'requests'}`
        : 'sends nothing, evaluates all';
    return `${check.id.padEnd(width)}  ${String(count).padStart(3)} cases  ${sends}`;
  });
  const byFactor = planByFactor(planned, sending);
  const factorWidth = Math.max(...byFactor.map(({ factor }) => factor.length), 0);
  const factorLines = byFactor.map(
    ({ factor, operations, requests }) =>
      `${factor.padEnd(factorWidth)}  ${String(operations).padStart(3)} operations  ${requests} requests`,
  );
  const total = rows.reduce((sum, row) => sum + row.requests, 0);
  process.stdout.write(
    `${lines.join('\n')}\n\n${factorLines.length === 0 ? '' : `What varies:\n${factorLines.join('\n')}\n\n`}${cases.length} cases on ${new Set(cases.map(({ operation }) => operation.id)).size} operations.\n` +
      `At most ${total} requests if nothing is wrong, excluding set-up; cases share valid calls. Limit of the run: ${settings.options.maxRequests} requests (--max-requests).\n`,
  );
}
