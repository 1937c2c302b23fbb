import { expect, test } from 'vitest';
import type { Cause } from '../../harness/model/report.ts';
import { violatedCase } from '../testing/sample-cases.ts';
import { oneCause, sampleReport } from '../testing/sample-reports.ts';
import { groupByCause, operationsOf } from './cause-group.ts';
import { violationsOf } from './violation.ts';

test('no finding is lost, and the widest cause comes first', () => {
  const { failures } = violationsOf(oneCause);
  const groups = groupByCause(failures, oneCause.causes);
  expect(groups.map(({ others }) => others.length)).toEqual([39, 0, 0]);
  expect(groups[0]?.example.finding?.id).toBe(oneCause.causes[0]?.example);
  expect(groups[0] && operationsOf(groups[0])).toHaveLength(11);
});

test('two causes of one requirement are told apart by their examples', () => {
  const operations = ['getPublicContact', 'getPublicBootstrap'];
  const refused = operations.map((operation) => violatedCase(operation, 'a/b'));
  const crashed = operations.map((operation) => violatedCase(operation, 'a/c', {}, { actual: '500' }));
  const cause = (signature: string, example: string | undefined): Cause => ({
    requirement: 'AUTH-3',
    signature,
    operations,
    count: 2,
    example: example ?? '',
  });
  const causes = [
    cause('got 200', refused[0]?.findings[0]?.id),
    cause('got 500', crashed[1]?.findings[0]?.id),
  ];
  const { failures } = violationsOf(sampleReport([...refused, ...crashed], { causes }));
  const groups = groupByCause(failures, causes);
  expect(
    groups.map((group) => [group.cause?.signature, group.example.actual, group.others[0]?.actual]),
  ).toEqual([
    ['got 200', '200', '200'],
    ['got 500', '500', '500'],
  ]);
});
