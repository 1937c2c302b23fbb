import { expect, it } from 'vitest';
import { chosen } from '../../harness/sampling/step-plan.ts';
import { loadContract } from '../../spec/contract.ts';
import { pairsOfDefects } from './several-defects.ts';

const contract = await loadContract();

function labels(id: string, profile: 'quick' | 'standard'): readonly string[] {
  return chosen(pairsOfDefects(contract.operation(id)), profile).map(
    ({ first, second }) => `${first.what} and ${second.what}`,
  );
}

it('are all pairs of two factors, of which a quick run sends what reads do not show', () => {
  expect(labels('getPublicBootstrap', 'standard')).toEqual([]);
  expect(labels('getPublicMerchantProduct', 'quick')).toEqual(labels('getPublicMerchantProduct', 'standard'));
  expect(labels('getHostedCheckoutSession', 'standard')).toEqual([
    'no key and an unknown sessionId',
    'an invalid key and an unknown sessionId',
    'a key without the scope and an unknown sessionId',
  ]);
  expect(labels('cancelHostedCheckoutSession', 'standard')).toHaveLength(11);
  expect(labels('cancelHostedCheckoutSession', 'quick')).toEqual([
    'a key without the scope and an unknown sessionId',
    'an unknown sessionId and a malformed body',
  ]);
});
