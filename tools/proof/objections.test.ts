import { expect, it } from 'vitest';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { resultFor } from '../../harness/results/results-for-tests.ts';
import { objectionsToVariant } from './objections.ts';

const variant: Variant = { name: 'unusual', says: 'Something is unusual.' };
const marked: Variant = { ...variant, untested: 'Nobody can test it.' };
const silent = resultFor('inconclusive', 'must', { message: 'the call was answered 409' });

it('objects to a conforming variant whose run has no verdict, or leaves a must open', () => {
  const passed = resultFor('pass');
  expect(objectionsToVariant(variant, [passed])).toEqual([]);
  expect(objectionsToVariant(variant, [passed, resultFor('inconclusive', 'should')])).toEqual([]);
  expect(objectionsToVariant(variant, [silent])).toEqual(['there is no verdict']);
  expect(objectionsToVariant(variant, [passed, silent, silent])).toEqual([
    'untested: auth/check at getApiKeyIdentity (and 1 more case): the call was answered 409',
  ]);
  expect(objectionsToVariant(variant, [resultFor('error')])).toHaveLength(2);
});

it('accepts what is marked, and objects once the mark is wrong', () => {
  expect(objectionsToVariant(marked, [resultFor('pass'), silent])).toEqual([]);
  expect(objectionsToVariant(marked, [resultFor('pass')])).toEqual([
    'is tested in full although it is marked as untested: remove the mark',
  ]);
  expect(objectionsToVariant(marked, [silent, resultFor('fail')])).toHaveLength(1);
});
