import { beforeAll, describe, expect, it } from 'vitest';
import { type Contract, loadContract } from '../../spec/contract.ts';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import type { Need } from '../checks/check.ts';
import { activeCase } from '../engine/run/cases-for-tests.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { Target } from '../model/target.ts';
import { KeyRing } from '../requests/key-ring.ts';
import { KnownValues } from '../requests/known-values.ts';
import { missingNeeds } from './missing-needs.ts';
import { targetFromParts } from './target-description.ts';

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

const create = `no valid body of ${ids.create} is known`;
const cancel = `no valid body of ${ids.cancel} is known`;
const noKey = 'no key with catalog:read is known';

describe('missingNeeds', () => {
  it('is empty where nothing is needed, or all is known', () => {
    expect(reasons(ids.bootstrap, { keys: {} })).toEqual([]);
    expect(reasons(ids.create, {}, [])).toEqual([]);
    expect(reasons(ids.product, { parameters: { slug: 'a' } })).toEqual([]);
  });

  it('names a path value that must exist', () => {
    expect(reasons(ids.merchantProduct, { parameters: { merchantSlug: 'a' } })).toEqual([
      'no productSlug is known that exists on the target',
    ]);
  });

  it('names keys as they are needed', () => {
    expect(reasons(ids.identity, { keys: {} }, ['scoped-key', 'unscoped-key'])).toEqual([
      noKey,
      'no key without catalog:read is known',
    ]);
    expect(reasons(ids.identity, { keys: { unscoped: 'pk_UnscopedXyz6789' } })).toEqual([]);
    expect(
      reasons(ids.initiate, {
        keys: { unscoped: 'pk_Unscoped' },
        bodies: { [ids.initiate]: {} },
      }),
    ).toEqual([noKey]);
  });

  it('names what is needed to take a session id', () => {
    expect(reasons(ids.read, {})).toEqual([create]);
    expect(reasons(ids.cancel, {})).toEqual([create, cancel]);
    expect(reasons(ids.read, { bodies: { [ids.create]: {} } })).toEqual([]);
    expect(reasons(ids.read, { parameters: { sessionId: 'cs_1' } })).toEqual([]);
  });

  it('names what a captured value in a body needs', () => {
    const captures = { loginState: { from: ids.initiate, pointer: '/state' } };
    const bodies = {
      [ids.consume]: { state: '{loginState}', id: '{unique}', other: '{unknown}' },
    };
    expect(reasons(ids.consume, { bodies, captures })).toEqual([`no valid body of ${ids.initiate} is known`]);
  });

  it('ends where captures go in a circle', () => {
    const captures = {
      a: { from: ids.initiate, pointer: '/a' },
      b: { from: ids.consume, pointer: '/b' },
    };
    const bodies = { [ids.initiate]: '{b}', [ids.consume]: '{a}' };
    expect(reasons(ids.initiate, { bodies, captures })).toEqual([]);
  });
});
