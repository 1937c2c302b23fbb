import type { Case } from '../checks/case.ts';
import type { ActiveCheck } from '../checks/check.ts';
import type { CaseResult } from '../model/report.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run.ts';

/** Cases under way at once; the rate limiter bounds the requests. */
export const casesAtOnce = 32;

/** Active cases in two stages that follow each other: those of most checks, and those of checks that run last. */
export function stagesOf(plan: Plan): {
  readonly first: ReadonlyArray<Case<ActiveCheck>>;
  readonly last: ReadonlyArray<Case<ActiveCheck>>;
} {
  return {
    first: plan.active.filter(({ check }) => check.last !== true),
    last: plan.active.filter(({ check }) => check.last === true),
  };
}

/** Runs the wanted active cases stage by stage, and then evaluates what was seen in all. */
export async function runSchedule(
  run: Run,
  wants: (planned: Case<ActiveCheck>) => boolean = () => true,
): Promise<readonly CaseResult[]> {
  for (const planned of run.plan.active) if (!wants(planned)) run.leaveOut(planned);
  const { first, last } = stagesOf(run.plan);
  const results: CaseResult[] = [];
  for (const stage of [first, last]) {
    const waiting = stage.filter(wants);
    const runInTurn = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        results.push(await run.runCase(next));
    };
    await Promise.all(Array.from({ length: casesAtOnce }, runInTurn));
  }
  return [...results, ...(await run.conclude())];
}
