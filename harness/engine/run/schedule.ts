import { type ActiveCheck, type Case, type Stage, stages } from '../../checks/check.ts';
import type { CaseResult } from '../../model/report.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run.ts';

/** Cases under way at once; the rate limiter bounds the requests. */
export const casesAtOnce = 32;

type Cases = ReadonlyArray<Case<ActiveCheck>>;

/** The active cases of each stage that has some, in the order of the stages. */
export function stagesOf({ active }: Plan): ReadonlyArray<readonly [stage: Stage, cases: Cases]> {
  return stages.flatMap((name) => {
    const cases = active.filter(({ check: { stage = 'main' } }) => stage === name);
    const turnOf = (one: Case<ActiveCheck>): number =>
      cases.filter(({ check }) => check.id === one.check.id).indexOf(one);
    // The checks of the first stage take turns, so that calls of the one lie between those of the other.
    // A case that must be alone makes all that come after it wait, for as long as those before it take.
    const rank = ({ check, operation }: Case<ActiveCheck>): number =>
      check.alone?.(operation) === true ? 0 : check.beginsFirst === true ? 1 : 2;
    const ordered = cases.toSorted(
      (a, b) => rank(a) - rank(b) || (name === 'first' ? turnOf(a) - turnOf(b) : 0),
    );
    return cases.length === 0 ? [] : [[name, ordered] as const];
  });
}

/** The active cases to run, all if absent, and the callback for each result. */
export interface Scheduling {
  readonly wants?: (planned: Case<ActiveCheck>) => boolean;
  readonly onResult?: (result: CaseResult) => void;
}

/** Runs the selected active cases stage by stage, and then evaluates the exchanges of all. */
export async function runSchedule(
  run: Run,
  { wants = () => true, onResult = () => undefined }: Scheduling = {},
): Promise<readonly CaseResult[]> {
  for (const planned of run.plan.active) if (!wants(planned)) run.context.budget.done(planned.id);
  const results: CaseResult[] = [];
  const keep = (result: CaseResult): void => {
    results.push(result);
    onResult(result);
  };
  const conduct = async (planned: Case<ActiveCheck>): Promise<void> => keep(await run.runCase(planned));
  const lasting: Array<Promise<void>> = [];
  for (const [stage, cases] of stagesOf(run.plan)) {
    const wanted = cases.filter(wants);
    // Once an operation is silent, the rest goes at once: others may be, too, and each would cost a time-out.
    while (stage === 'first' && wanted.length > 0 && !run.context.monitor.hasSilentOperation)
      for (const planned of wanted.splice(0, 1)) await conduct(planned);
    const isLasting = ({ check }: Case<ActiveCheck>): boolean => check.isLasting === true;
    lasting.push(...wanted.filter(isLasting).map(conduct));
    await Promise.all(wanted.filter((planned) => !isLasting(planned)).map(conduct));
  }
  await Promise.all(lasting);
  for (const result of await run.conclude()) keep(result);
  return results;
}
