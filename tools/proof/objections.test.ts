import { expect, it } from 'vitest';
import type { Fault } from '../../fixtures/faults/fault.ts';
import type { Variant } from '../../fixtures/variants/variant.ts';
import { resultFor } from '../../harness/results/results-for-tests.ts';
import { objectionsToFault, objectionsToVariant } from './objections.ts';

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

it('says once of a missed fault what its case came to, and what to do about a busy machine', () => {
  const fault: Fault = {
    name: 'broken',
    says: 'Something is broken.',
    breaks: { requirement: 'AUTH-3', check: 'auth/check', operation: 'getApiKeyIdentity' },
    install: () => undefined,
  };
  const silent = resultFor('inconclusive', 'must', {
    message: 'the target left too many requests without an answer in time (raise --timeout)',
  });
  expect(objectionsToFault(fault, [silent])).toEqual([
    'missed: fail expected, but inconclusive AUTH-3 auth/check at getApiKeyIdentity: the target left too many requests without an answer in time (prove it again by its name)',
  ]);
});

it('accepts what is marked, and objects once the mark is wrong', () => {
  expect(objectionsToVariant(marked, [resultFor('pass'), silent])).toEqual([]);
  expect(objectionsToVariant(marked, [resultFor('pass')])).toEqual([
    'is tested in full although it is marked as untested: remove the mark',
  ]);
  expect(objectionsToVariant(marked, [silent, resultFor('fail')])).toHaveLength(1);
});
