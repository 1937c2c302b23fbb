import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../checks/catalogue.ts';
import { planCases } from './plan.ts';
import { dividePlan, mostShards } from './plan-run.ts';

const { contract, checks, requirements } = await loadCatalogue();
const plan = planCases(contract, checks, requirements, { operations: [], checks: [] });
const usual = { fuzzRuns: 5, profile: 'standard', hasDocument: false } as const;
const sizes = Array.from({ length: mostShards(plan) }, (_, at) => at + 1);

const ids = (cases: ReadonlyArray<{ readonly id: string }>): readonly string[] => cases.map(({ id }) => id);

describe('dividing a plan', () => {
  it.each(sizes)('by %d gives each case that sends to exactly one part, and something to each', (of) => {
    const parts = dividePlan(plan, of, usual);
    expect(parts).toHaveLength(of);
    expect(ids(parts.flatMap((part) => part.plan.active)).toSorted()).toEqual(ids(plan.active).toSorted());
    expect(ids(parts.flatMap((part) => part.plan.passive)).toSorted()).toEqual(ids(plan.passive).toSorted());
    expect(parts.filter((part) => part.plan.active.length === 0)).toEqual([]);
  });

  it.each(sizes)(
    'by %d keeps the cases of an operation together, those on sessions, and those on logins',
    (of) => {
      const homes = new Map<string, Set<number>>();
      for (const [at, part] of dividePlan(plan, of, { ...usual, hasDocument: true }).entries()) {
        for (const { operation } of part.plan.active) {
          const name = /Hosted(Checkout|Login)/.exec(operation.id)?.[1] ?? operation.id;
          homes.set(name, (homes.get(name) ?? new Set()).add(at));
        }
      }
      expect([...homes].filter(([, parts]) => parts.size > 1)).toEqual([]);
    },
  );

  it('leaves what compares all operations to the merging', () => {
    expect(plan.collective).not.toEqual([]);
    expect(dividePlan(plan, 1, usual).flatMap((part) => part.plan.collective)).toEqual([]);
  });

  it('is the same each time, and keeps what runs last at the end', () => {
    expect(dividePlan(plan, 4, usual)).toEqual(dividePlan(plan, 4, usual));
    for (const part of dividePlan(plan, 4, usual)) {
      const lasts = part.plan.active.map(({ check }) => check.stage === 'last');
      expect(lasts).toEqual(lasts.toSorted((a, b) => Number(a) - Number(b)));
    }
  });

  it.each([2, 3, 4, 5])('by %d is even, but for the sessions, which cannot be divided', (of) => {
    const weights = dividePlan(plan, of, usual).map(({ weight }) => weight);
    const sessions = weights[0] ?? 0;
    const [least = 0, ...more] = weights.slice(1).toSorted((a, b) => a - b);
    const most = more.at(-1) ?? least;
    expect(most / least).toBeLessThan(1.1);
    expect(sessions / (weights.reduce((sum, one) => sum + one, 0) / of)).toBeLessThan(of < 4 ? 1.1 : 1.8);
  });

  it('can go on until each operation is by itself', () => {
    expect(mostShards(plan)).toBe(contract.operations.length - 3);
    const reads = planCases(contract, checks, requirements, { operations: ['listPublic*'], checks: [] });
    expect(mostShards(reads)).toBe(6);
    const silent = planCases(contract, checks, requirements, { operations: [], checks: ['ERROR-2'] });
    expect(mostShards(silent)).toBe(0);
  });
});
