import { expect, test } from 'vitest';
import { violatedCase } from '../testing/sample-cases-for-tests.ts';
import { oneCause, oneFailure, sampleReport } from '../testing/sample-reports-for-tests.ts';
import { rootCausesOf } from './root-causes.ts';

test('no finding is lost, and the widest root cause comes first', () => {
  const groups = rootCausesOf(oneCause);
  expect(groups.map(({ members }) => members.length)).toEqual([40, 1, 1]);
  expect(groups[0]?.members[0].finding?.id).toBe(oneCause.rootCauses?.[0]?.findings[0]);
  expect(groups.map(({ operations }) => operations.length)).toEqual([11, 1, 1]);
});

test('failures come before warnings, and notes are not counted', () => {
  expect(rootCausesOf(oneFailure).map(({ weight, level }) => [weight, level])).toEqual([
    ['fail', 'must'],
    ['warn', 'should'],
  ]);
});

test('what came tells two causes of one requirement apart', () => {
  const operations = ['listPublicContactChannels', 'getPublicBootstrap'];
  const refused = operations.map((operation) => violatedCase(operation, 'a/b'));
  const crashed = operations.map((operation) => violatedCase(operation, 'a/c', {}, { actual: '500' }));
  const groups = rootCausesOf(sampleReport([...refused, ...crashed]));
  expect(groups.map(({ members }) => members.map(({ actual }) => actual))).toEqual([
    ['200', '200'],
    ['500', '500'],
  ]);
});

test('no two root causes share a headline', () => {
  const cases = [
    violatedCase('listPublicContactChannels', 'a/b'),
    violatedCase('listPublicContactChannels', 'a/c', {}, { message: 'another rule' }),
    violatedCase('getPublicBootstrap', 'a/b', {}, { message: 'a third rule' }),
    violatedCase('getPublicBootstrap', 'a/b', {}, { message: 'a fourth rule' }),
  ];
  const headlines = rootCausesOf(sampleReport(cases)).map(({ headline }) => headline);
  expect(new Set(headlines).size).toBe(4);
  expect(rootCausesOf(oneCause).map(({ headline }) => headline)).toEqual([
    'An invalid key was accepted',
    'An error response has no PublicErrorResponse body at listPublicContactChannels',
    'An error response has no PublicErrorResponse body at searchPublicProducts',
  ]);
});
