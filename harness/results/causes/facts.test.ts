import { expect, it } from 'vitest';
import type { ExampleParts } from '../../checks/example-exchange.ts';
import { caseShowing } from '../results-for-tests.ts';
import { fixes, fixesAlone, fixesInCompany } from './cause-fixes.ts';
import { findingLike, pairLike } from './facts.ts';
import { type Sighting, sightingOf } from './sighting.ts';

function shown(requirement: string, parts: ExampleParts): Sighting {
  const result = caseShowing(requirement, parts);
  const [finding] = result.findings;
  if (finding === undefined) throw new Error('the case shows a finding');
  return sightingOf(result, finding);
}

const one = shown('AUTH-3', { status: 200, credential: 'invalid' });
const other = shown('SCOPE-1', { status: 200, credential: 'unscoped' });

it.each([
  ['AUTH-3', true],
  ['AUTH accepted', true],
  ['AUTH-2|AUTH-3 200', true],
  ['AUTH-2|SCOPE-1 200', false],
  ['AUTH-3 !accepted', false],
  ['AUTH-2|!company', true],
])('a finding is like “%s”: %s', (pattern, isLike) => {
  expect(findingLike(pattern)(one)).toBe(isLike);
});

it.each([
  ['same-status', true],
  ['same-status !same-requirement', true],
  ['same-requirement|same-kind-of-key', false],
])('two findings are like “%s”: %s', (pattern, areLike) => {
  expect(pairLike(pattern)(other, one)).toBe(areLike);
});

it('refuses names that it does not know', () => {
  expect(() => findingLike('AUTH-3 acepted')).toThrow('no fact is called acepted');
  expect(() => pairLike('same-colour')).toThrow('no fact is called same-colour');
});

it('keeps the fixes in their order, which a number alone would not', () => {
  const patterns = [fixes, fixesInCompany, fixesAlone].flatMap((rows) => Object.keys(rows));
  expect(patterns.filter((pattern) => /^\d+$/.test(pattern))).toEqual([]);
});
