import { expect, it } from 'vitest';
import { labelOf } from '../../harness/requests/variation.ts';
import { chosen } from '../../harness/sampling/step-plan.ts';
import { loadContract } from '../../spec/contract.ts';
import { pairsOfDefects } from './several-defects.ts';

const contract = await loadContract();

function labels(id: string, profile: 'quick' | 'standard'): readonly string[] {
  return chosen(pairsOfDefects(contract.operation(id)), profile).map(({ first, second }) =>
    labelOf([first, second]),
  );
}

it('are all pairs of two factors, of which a quick run sends what reads do not show', () => {
  expect(labels('getPublicBootstrap', 'standard')).toEqual([]);
  expect(labels('getPublicMerchantProduct', 'quick')).toHaveLength(1);
  expect(labels('getPublicMerchantProduct', 'standard')).toHaveLength(3);
  expect(labels('getHostedCheckoutSession', 'standard')).toEqual([
    'no key and an unknown sessionId',
    'no key and a sessionId that is not UTF-8',
    'an invalid key and an unknown sessionId',
    'an invalid key and a sessionId that is not UTF-8',
    'a key without the scope and an unknown sessionId',
    'a key without the scope and a sessionId that is not UTF-8',
  ]);
  expect(labels('cancelHostedCheckoutSession', 'standard')).toHaveLength(14);
  expect(labels('cancelHostedCheckoutSession', 'quick')).toEqual([
    'a key without the scope and an unknown sessionId',
    'an unknown sessionId and a malformed body',
  ]);
});
