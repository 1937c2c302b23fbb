import { expect, it } from 'vitest';
import { loadContract } from '../../spec/contract.ts';
import { isSafe } from '../../spec/operation.ts';
import { withOtherTraits } from './client-call.ts';
import { factorsOf, type Trait } from './client-traits.ts';

const { operations } = await loadContract();
const read = operations.find((one) => isSafe(one) && one.auth === 'none');
if (read === undefined) throw new Error('the contract has no public read');
const factors = factorsOf(read, new URL('https://shop.example'));
const slotsOf = (traits: readonly Trait[]): readonly string[] =>
  traits.flatMap(({ slot }) => (slot?.startsWith('?') && slot !== '?q' ? [slot] : []));

it('one client that stands for all has each query parameter once', () => {
  const slots = slotsOf(withOtherTraits([], factors));
  expect(new Set(slots).size).toBe(slots.length);
});
