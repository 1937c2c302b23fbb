import { expect, it } from 'vitest';
import type { CaseResult } from '../../model/report.ts';
import type { Plan } from './plan.ts';
import type { Run } from './run.ts';
import { runSchedule, stagesOf } from './schedule.ts';

/** Runs five cases that run first at a target that falls silent at one of them; tells how many ran at once at most. */
async function mostAtOnce(silentAt: number): Promise<number> {
  const monitor = { hasSilentOperation: false };
  let running = 0;
  let most = 0;
  const active = Array.from({ length: 5 }, (_, at) => ({
    id: String(at),
    check: { id: `a/${at}`, stage: 'first' },
    operation: { id: 'op' },
  }));
  const run = {
    plan: { active },
    context: { monitor, budget: { done: () => undefined } },
    runCase: async ({ id }: { readonly id: string }): Promise<CaseResult> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      monitor.hasSilentOperation ||= Number(id) === silentAt;
      running -= 1;
      return { id } as unknown as CaseResult;
    },
    conclude: async () => [],
  } as unknown as Run;
  expect(await runSchedule(run)).toHaveLength(active.length);
  return most;
}

it('runs first cases one at a time, and the rest of them at once when an operation is silent', async () => {
  expect(await mostAtOnce(-1)).toBe(1);
  expect(await mostAtOnce(1)).toBe(3);
});

it('begins what must be alone, then what waits for seconds, before the other cases of their stage', () => {
  const operation = { id: 'op' };
  const check = (id: string, more: object): object => ({ id, operation, check: { id, ...more } });
  const active = [
    check('plain', {}),
    check('waiting', { beginsFirst: true }),
    check('alone', { alone: () => true }),
  ];
  const [[, cases] = []] = stagesOf({ active } as unknown as Plan);
  expect(cases?.map(({ id }) => id)).toEqual(['alone', 'waiting', 'plain']);
});

it('goes on to the next stage while cases last', async () => {
  const ended: string[] = [];
  let release = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  const operation = { id: 'op' };
  const run = {
    plan: {
      active: [
        { id: 'lasting', operation, check: { id: 'a/lasting', isLasting: true } },
        { id: 'last', operation, check: { id: 'a/last', stage: 'last' } },
      ],
    },
    context: { monitor: {}, budget: { done: () => undefined } },
    runCase: async ({ id }: { readonly id: string }): Promise<CaseResult> => {
      if (id === 'lasting') await late;
      else release();
      ended.push(id);
      return { id } as unknown as CaseResult;
    },
    conclude: async () => [],
  } as unknown as Run;
  await runSchedule(run);
  expect(ended).toEqual(['last', 'lasting']);
});
