import { expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { knownNames, nearestName } from './nearest-name.ts';

it.each([
  ['report-dir', 'reportDir'],
  ['slgu', 'slug'],
  ['getProduct', ids.product],
  ['zzz', undefined],
  ['', undefined],
])('finds what %j means', (name, expected) => {
  expect(nearestName(name, ['slug', 'reportDir', ids.product])).toBe(expected);
});

it('lists all where none is near', () => {
  expect(knownNames('zzz', ['slug', 'store'])).toBe('use one of slug, store, or remove it');
});
