import type { Case } from '../../checks/case.ts';
import type { ActiveCheck } from '../../checks/check.ts';
import type { CaseResult } from '../../model/report.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run.ts';

/** Cases under way at once; the rate limiter bounds the requests. */
export const casesAtOnce = 32;

type Cases = ReadonlyArray<Case<ActiveCheck>>;

/** Active cases in stages that follow each other: those of checks that run first, of most checks, and of those that run last. */
export function stagesOf({ active }: Plan): Readonly<Record<'first' | 'main' | 'last', Cases>> {
  const first = active.filter(({ check }) => check.first === true);
  const turnOf = (one: Case<ActiveCheck>): number =>
    first.filter(({ check }) => check.id === one.check.id).indexOf(one);
  return {
    // The checks take turns, so that calls of the one lie between those of the other.
    first: [...first].sort((a, b) => turnOf(a) - turnOf(b)),
    main: active.filter(({ check }) => check.first !== true && check.last !== true),
    last: active.filter(({ check }) => check.last === true),
  };
}

/** Which active cases are run, all if absent, and who hears of each result. */
export interface Scheduling {
  readonly wants?: (planned: Case<ActiveCheck>) => boolean;
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs the wanted active cases stage by stage, and then evaluates what was seen in all. */
export async function runSchedule(
  run: Run,
  { wants = () => true, onResult = () => undefined }: Scheduling = {},
): Promise<readonly CaseResult[]> {
  for (const planned of run.plan.active) if (!wants(planned)) run.context.budget.done(planned.id);
  const { first, main, last } = stagesOf(run.plan);
  const results: CaseResult[] = [];
  const keep = (result: CaseResult): void => {
    results.push(result);
    onResult(result);
  };
  for (const stage of [first, main, last]) {
    const wanted = stage.filter(wants);
    if (stage === first) for (const planned of wanted) keep(await run.runCase(planned));
    else await Promise.all(wanted.map(async (planned) => keep(await run.runCase(planned))));
  }
  for (const result of await run.conclude()) keep(result);
  return results;
}
