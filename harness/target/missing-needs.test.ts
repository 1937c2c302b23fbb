import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract } from '../../spec/contract.ts';
import type { Need } from '../checks/check.ts';
import { activeCase } from '../engine/cases-for-tests.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { Target } from '../model/target.ts';
import { KeyRing } from '../requests/key-ring.ts';
import { KnownValues } from '../requests/known-values.ts';
import { missingNeeds } from './missing-needs.ts';
import { targetFromParts } from './target-from-parts.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const keys = { scoped: 'pk_ScopedAbc12345', unscoped: 'pk_UnscopedXyz6789' };

function reasons(
  id: string,
  parts: Partial<Target>,
  needs: readonly Need[] = ['valid-call'],
): readonly string[] {
  const target = { ...targetFromParts({ baseUrl: 'http://h' }), keys, ...parts };
  const operation = contract.operations.find((one) => one.id === id) ?? expect.fail(id);
  const known = {
    target,
    contract,
    known: new KnownValues(target, contract),
    keys: new KeyRing(target, new SecretRegister(), 1),
  };
  return missingNeeds(known, activeCase({ needs: () => needs }, operation)).map(({ reason }) => reason);
}

const create = 'no valid body of createHostedCheckoutSession is known';
const cancel = 'no valid body of cancelHostedCheckoutSession is known';
const noKey = 'no key with catalog:read is known';

describe('missingNeeds', () => {
  it('is empty where nothing is needed, or all is known', () => {
    expect(reasons('getPublicBootstrap', { keys: {} })).toEqual([]);
    expect(reasons('createHostedCheckoutSession', {}, [])).toEqual([]);
    expect(reasons('getPublicProduct', { parameters: { slug: 'a' } })).toEqual([]);
  });

  it('names a path value that must exist', () => {
    expect(reasons('getPublicMerchantProduct', { parameters: { merchantSlug: 'a' } })).toEqual([
      'no productSlug is known that exists on the target',
    ]);
  });

  it('names keys as they are needed', () => {
    expect(reasons('getApiKeyIdentity', { keys: {} }, ['scoped-key', 'unscoped-key'])).toEqual([
      noKey,
      'no key without catalog:read is known',
    ]);
    expect(reasons('getApiKeyIdentity', { keys: { unscoped: 'pk_UnscopedXyz6789' } })).toEqual([]);
    expect(
      reasons('initiateHostedLogin', {
        keys: { unscoped: 'pk_Unscoped' },
        bodies: { initiateHostedLogin: {} },
      }),
    ).toEqual([noKey]);
  });

  it('names what is needed to take a session id', () => {
    expect(reasons('getHostedCheckoutSession', {})).toEqual([create]);
    expect(reasons('cancelHostedCheckoutSession', {})).toEqual([create, cancel]);
    expect(reasons('getHostedCheckoutSession', { bodies: { createHostedCheckoutSession: {} } })).toEqual([]);
    expect(reasons('getHostedCheckoutSession', { parameters: { sessionId: 'cs_1' } })).toEqual([]);
  });

  it('names what a captured value in a body needs', () => {
    const captures = { loginState: { from: 'initiateHostedLogin', pointer: '/state' } };
    const bodies = {
      consumeHostedLoginReturn: { state: '{loginState}', id: '{unique}', other: '{unknown}' },
    };
    expect(reasons('consumeHostedLoginReturn', { bodies, captures })).toEqual([
      'no valid body of initiateHostedLogin is known',
    ]);
  });

  it('ends where captures go in a circle', () => {
    const captures = {
      a: { from: 'initiateHostedLogin', pointer: '/a' },
      b: { from: 'consumeHostedLoginReturn', pointer: '/b' },
    };
    const bodies = { initiateHostedLogin: '{b}', consumeHostedLoginReturn: '{a}' };
    expect(reasons('initiateHostedLogin', { bodies, captures })).toEqual([]);
  });
});
