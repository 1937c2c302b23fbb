import { expect, it } from 'vitest';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import { loadContract } from '../../spec/contract.ts';
import { isSafe } from '../../spec/operation.ts';
import { callWith, withOtherTraits } from './client-call.ts';
import { factorsOf, simplerForms, type Trait } from './client-traits.ts';

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

it('tries one more member in plain ASCII before letters outside ASCII', async () => {
  const simpler = simplerForms['wide-letters'];
  const { body } = await callWith(simpler === undefined ? [] : [simpler], async () => ({ quantity: 1 }));
  expect((body as RawBody).bytes.toString()).toBe('{"conformance":"in words","quantity":1}');
});
