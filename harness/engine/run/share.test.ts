import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../checks/catalogue.ts';
import { planCases } from './plan.ts';
import { apportion, type Limits, shareOf } from './plan-run.ts';

const { contract, checks, requirements } = await loadCatalogue();
const plan = planCases(contract, checks, requirements, { operations: [], checks: [] });

const usual = { fuzzRuns: 5, profile: 'standard', hasDocument: false } as const;

function shares(limits: Limits, of: number): readonly Limits[] {
  return Array.from({ length: of }, (_, at) =>
    shareOf(plan, { ...limits, shard: { index: at + 1, of } }, usual),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('the share of a shard', () => {
  it('is all where the run is not divided', () => {
    const limits = { concurrency: 8, rate: 25, maxRequests: 2_000 };
    expect(shareOf(plan, { ...limits, shard: undefined }, usual)).toEqual(limits);
    expect(shares(limits, 1)).toEqual([limits]);
  });

  it.each([2, 3, 5, 8, 23])('of %d comes to the whole', (of) => {
    const all = shares({ concurrency: 50, rate: 25, maxRequests: 2_003 }, of);
    expect(sum(all.map(({ concurrency }) => concurrency))).toBe(50);
    expect(sum(all.map(({ rate }) => rate ?? 0))).toBeCloseTo(25, 9);
    expect(sum(all.map(({ maxRequests }) => maxRequests))).toBe(2_003);
  });

  it('is larger where more is sent, but the crowd is as large everywhere', () => {
    const [sessions, other] = shares({ concurrency: 16, rate: 20, maxRequests: 4_000 }, 4);
    expect(sessions?.maxRequests).toBeGreaterThan(other?.maxRequests ?? 0);
    expect(sessions?.rate).toBeGreaterThan(other?.rate ?? 0);
    expect([sessions?.concurrency, other?.concurrency]).toEqual([4, 4]);
  });

  it('has no rate where the whole has none', () => {
    expect(shares({ concurrency: 4, rate: undefined, maxRequests: 100 }, 2).map(({ rate }) => rate)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('lets each have one request at a time', () => {
    expect(
      shares({ concurrency: 2, rate: 1, maxRequests: 100 }, 4).map(({ concurrency }) => concurrency),
    ).toEqual([1, 1, 1, 1]);
  });
});

it.each([
  { total: 10, weights: [1, 1, 1], parts: [4, 3, 3] },
  { total: 10, weights: [8, 1, 1], parts: [6, 2, 2] },
  { total: 3, weights: [100, 1, 1], parts: [1, 1, 1] },
  { total: 1, weights: [1, 1], parts: [1, 1] },
])('$total by $weights is $parts', ({ total, weights, parts }) => {
  expect(apportion(total, weights)).toEqual(parts);
});
