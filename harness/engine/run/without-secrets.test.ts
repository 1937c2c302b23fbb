import { describe, expect, it } from 'vitest';
import { ids } from '../../../spec/operation-ids-for-tests.ts';
import { SecretRegister } from '../../evidence/secret-register.ts';
import { KeyRing } from '../../requests/key-ring.ts';
import { resultFor } from '../../results/results-for-tests.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The secrets of a run with this key. */
function secretsWith(scoped: string): SecretRegister {
  const secrets = new SecretRegister();
  new KeyRing({ keys: { scoped }, authorization: '{key}' }, secrets, 1);
  return secrets;
}

describe('withoutSecrets', () => {
  it('removes a key that got as far as here, wherever it stands', () => {
    const result = resultFor('fail', 'must', {
      message: 'got pk_ScopedAbc12345 back',
      actual: 'x"pk_scopedabc12345',
    });
    expect(withoutSecrets(secretsWith('pk_ScopedAbc12345'), result)).toEqual({
      ...result,
      message: 'got <scoped key> back',
      actual: 'x"<scoped key>',
    });
  });

  it('leaves sets what they are', () => {
    const changing = new Set(['got pk_ScopedAbc12345 back', 'nothing']);
    expect(withoutSecrets(secretsWith('pk_ScopedAbc12345'), { changing })).toEqual({
      changing: new Set(['got <scoped key> back', 'nothing']),
    });
  });

  // The keys of a demonstration are often words, and so are halves of words.
  it.each(['password', 'merchant-key', 'public', 'check', 'key', 'operator', 'auth'])(
    'leaves the names and ids of the harness alone, though the key is %s',
    (key) => {
      const result = resultFor('pass', 'must', {
        operation: ids.merchantProduct,
        check: 'auth/api-key-check',
      });
      expect(withoutSecrets(secretsWith(key), result)).toMatchObject({
        operation: ids.merchantProduct,
        check: 'auth/api-key-check',
        outcome: 'pass',
        level: 'must',
        findings: [],
      });
    },
  );

  it('bears a key that is a number', () => {
    const value = { traffic: { requests: 12345 } };
    expect(() => withoutSecrets(secretsWith('12345'), value)).not.toThrow();
  });
});
