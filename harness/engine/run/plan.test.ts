import { describe, expect, it } from 'vitest';
import { Contract } from '../../../spec/contract.ts';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import type { IdentifiedCheck } from '../../checks/check.ts';
import { exampleOperation } from '../../checks/example-exchange.ts';
import { requirementFor } from '../../results/results-for-tests.ts';
import { activeCase, collectiveCase, passiveCase } from './cases-for-tests.ts';
import { affordableFuzzRuns, planCases, plannedCases, roomAside, sufficientRequests } from './plan.ts';

const contract = new Contract({
  digest: 'sha256:0',
  operations: [
    exampleOperation({ id: ids.bootstrap, auth: 'none' }),
    exampleOperation({ id: ids.identity }),
    exampleOperation({ id: ids.keyProducts }),
  ],
});
const withKey: IdentifiedCheck = {
  ...activeCase().check,
  id: 'auth/key',
  area: 'auth',
  applies: ({ auth }) => auth === 'api-key',
};
const checks: readonly IdentifiedCheck[] = [
  withKey,
  { ...passiveCase().check, id: 'status/declared', requirement: 'STATUS-1' },
  { ...collectiveCase('a').check, id: 'errors/alike', requirement: 'ERROR-2' },
];
const requirements = ['AUTH-3', 'STATUS-1', 'ERROR-2'].map((id) => requirementFor('must', id));

function planned(globs: { operations?: string[]; checks?: string[] }): readonly string[] {
  const plan = planCases(contract, checks, requirements, { operations: [], checks: [], ...globs });
  return plannedCases(plan).map(({ id }) => id);
}

describe('sufficientRequests', () => {
  it('leaves each announced request another one, whatever needs a document left aside without one', () => {
    const withDocument = { ...withKey, id: 'success/document', needsDocument: true as const };
    const plan = planCases(contract, [withKey, withDocument], requirements, { operations: [], checks: [] });
    const most = (hasDocument: boolean): number =>
      sufficientRequests(plan, { fuzzRuns: 0, profile: 'standard', hasDocument });
    expect(most(false) - roomAside).toBe(2 * 2);
    expect(most(true) - roomAside).toBe(2 * 4);
  });
});

describe('affordableFuzzRuns', () => {
  const random = {
    ...withKey,
    id: 'auth/random',
    requests: (_operation: unknown, fuzzRuns: number): number => 10 + fuzzRuns,
  };
  const plan = planCases(contract, [random], requirements, { operations: [], checks: [] });
  const afford = (maxRequests: number): number =>
    affordableFuzzRuns(plan, { fuzzRuns: 50, profile: 'standard', hasDocument: false }, maxRequests);

  it('is what the user asks for where the limit has room for it, and what fits elsewhere', () => {
    expect(afford(Number.POSITIVE_INFINITY)).toBe(50);
    expect(afford(roomAside + 2 * 64)).toBe(50);
    expect(afford(roomAside + 2 * 32)).toBe(20);
    expect(afford(roomAside)).toBe(0);
  });
});

describe('planCases', () => {
  it('pairs every check with every operation to which it applies', () => {
    const plan = planCases(contract, checks, requirements, { operations: [], checks: [] });
    expect(plan.active.map(({ id }) => id)).toEqual([
      `${ids.identity}/auth/key`,
      `${ids.keyProducts}/auth/key`,
    ]);
    expect([plan.passive.length, plan.collective.length]).toEqual([3, 3]);
    expect(plan.notApplicable.map(({ id }) => id)).toEqual([`${ids.bootstrap}/auth/key`]);
    expect(plan.active[0]?.requirement.id).toBe('AUTH-3');
  });

  it.each([
    [[ids.bootstrap], 2],
    [['get*'], 5],
    [['GETPUBLIC*'], 2],
    [['*Public*', '*Identity'], 5],
    [[`{${ids.bootstrap},${ids.identity}}`], 5],
    [['!get*'], 3],
    [['nothing'], 0],
  ])('takes the operations %j: %i cases', (operations, count) => {
    expect(planned({ operations })).toHaveLength(count);
  });

  it.each([
    [['auth/key'], 2],
    [['auth/*'], 2],
    [['AUTH-3'], 2],
    [['auth-*'], 2],
    [['STATUS-1', 'errors/**'], 6],
    [['*'], 8],
    [['**'], 8],
    [['nothing'], 0],
  ])('takes the checks %j by their ids or those of their requirements: %i cases', (globs, count) => {
    expect(planned({ checks: globs })).toHaveLength(count);
  });

  it('leaves out the checks of a glob with an exclamation mark', () => {
    expect(planned({ checks: ['!auth/**'] })).toHaveLength(6);
  });

  it('refuses a check of a requirement that does not exist', () => {
    expect(() => planCases(contract, checks, requirements.slice(1), { operations: [], checks: [] })).toThrow(
      'auth/key names AUTH-3, which is no requirement',
    );
  });
});
