import { describe, expect, it } from 'vitest';
import type { CaseClient } from '../calls/case-client.ts';
import { exampleExchange, exampleOperation } from '../checks/example-exchange.ts';
import { namedSteps, probe } from '../checks/step.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Profile } from '../sampling/profile.ts';
import { isPlanned, type StepPlan } from '../sampling/step-plan.ts';
import { type Act, play, type UnnamedAct } from './play.ts';

type Seen = readonly Exchange[];

/** Plays a story whose acts are answered with these statuses; what was sent, in groups, and whether it was told to its end. */
async function told(
  acts: Readonly<Record<string, Omit<UnnamedAct<Seen>, 'role' | 'label'>>>,
  statuses: Readonly<Record<string, number>> = {},
  profile: Profile = 'standard',
): Promise<{ readonly sent: readonly string[]; readonly isComplete: boolean }> {
  const plans = (step: StepPlan): boolean => isPlanned(step, exampleOperation(), profile);
  const named = Object.entries(acts).map(([name, act]) => [name, { ...probe(name), ...act }] as const);
  const steps: Readonly<Record<string, Act<Seen>>> = namedSteps(Object.fromEntries(named));
  const seen: Exchange[] = [];
  const sent: string[] = [];
  const isComplete = await play({ plans } as CaseClient, Object.values(steps), {
    seen: () => seen,
    send: async ({ step, label }) => {
      sent.push(`begin ${label}`);
      await new Promise(setImmediate);
      sent.push(`end ${label}`);
      if (statuses[step] === 0) return undefined;
      const exchange = exampleExchange({ step, status: statuses[step] ?? 200 });
      seen.push(exchange);
      return exchange;
    },
  });
  return { sent: sent.filter((line) => line.startsWith('begin') || 'b' in acts), isComplete };
}

const isOk = (exchange: Exchange | undefined): boolean => exchange?.response?.status === 200;

describe('a story', () => {
  it('is sent in its order, as far as the run plans it', async () => {
    const acts = { first: {}, deeper: { weight: 'low' }, second: {}, called: { followUp: true } } as const;
    expect(await told(acts)).toEqual({
      sent: ['begin first', 'begin second', 'begin called'],
      isComplete: true,
    });
    expect((await told({ called: { followUp: true, weight: 'low' } })).sent).toEqual([]);
  });

  it('leaves out what the exchanges so far do not call for', async () => {
    const acts = { first: {}, second: { when: (seen: Seen) => !isOk(seen[0]) }, third: {} };
    expect((await told(acts)).sent).toEqual(['begin first', 'begin third']);
    expect((await told(acts, { first: 404 })).sent).toEqual(['begin first', 'begin second', 'begin third']);
  });

  it.each([404, 0])('ends where a response is not what the rest needs: %s', async (status) => {
    const acts = { first: { needs: isOk }, second: {} };
    expect(await told(acts, { first: status })).toEqual({ sent: ['begin first'], isComplete: false });
    expect((await told(acts)).isComplete).toBe(true);
  });

  it('sends acts at the same time', async () => {
    const { sent } = await told({ a: {}, b: {}, c: { beside: true } });
    expect(sent).toEqual(['begin a', 'end a', 'begin b', 'begin c', 'end b', 'end c']);
  });
});
