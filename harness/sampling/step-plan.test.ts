import { describe, expect, it } from 'vitest';
import { exampleOperation } from '../checks/example-exchange.ts';
import type { Planned } from './profile.ts';
import { chosen, countByProfile, isPlanned, plannedRequests, type StepPlan } from './step-plan.ts';

const operation = exampleOperation({ pathParameters: ['slug'] });
const counts = (step: StepPlan): readonly number[] =>
  (['quick', 'standard', 'deep'] as const).map((profile) =>
    plannedRequests(step, operation, { profile, fuzzRuns: 5 }),
  );

describe('a step', () => {
  it.each<[string, StepPlan, readonly number[]]>([
    ['is planned once everywhere by default', {}, [1, 1, 1]],
    ['of less weight is left out of a quick run', { weight: 'medium' }, [0, 1, 1]],
    ['that stands for others is sent where they are joined', { joined: 'all', times: 3 }, [3, 0, 0]],
    ['may leave an operation out', { at: ({ pathParameters }) => pathParameters.length === 0 }, [0, 0, 0]],
    ['that only a response calls for is no part of a plan', { followUp: true, times: 3 }, [0, 0, 0]],
    ['counts by random inputs', { times: (_operation, fuzzRuns) => 2 * fuzzRuns }, [10, 10, 10]],
    ['counts the values of a profile', { times: countByProfile([{}, { weight: 'medium' }]) }, [1, 2, 2]],
    ['is sampled in part', { times: 7, strength: 'part' }, [3, 7, 7]],
    ['is sampled once for each parameter', { times: 4, strength: 'one', perParameter: true }, [1, 4, 4]],
  ])('%s', (_what, step, expected) => {
    expect(counts(step)).toEqual(expected);
    expect(isPlanned(step, operation, 'standard')).toBe(expected[1] !== 0);
  });
});

it('values have weights, too', () => {
  const values: ReadonlyArray<Planned & { readonly id: string }> = [
    { id: 'a' },
    { id: 'b', weight: 'medium' },
    { id: 'c', weight: 'low' },
  ];
  expect(chosen(values, 'standard').map(({ id }) => id)).toEqual(['a', 'b']);
});
