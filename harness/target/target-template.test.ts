import { describe, expect, it } from 'vitest';
import { ids } from '../../spec/operation-ids-for-tests.ts';
import { contractForTests as contract } from './contract-for-tests.ts';
import { readText } from './refusals-for-tests.ts';
import { targetTemplate } from './target-template.ts';

describe('targetTemplate', () => {
  it('is a target file', async () => {
    const target = await readText(targetTemplate(contract));
    expect(target.keys).toEqual({ scoped: 'sk-scoped', unscoped: 'sk-plain' });
    expect(target.parameters).toEqual({});
  });

  it('is a target file with all its options uncommented', async () => {
    const target = await readText(targetTemplate(contract).replaceAll(/^#(?=\S| +[\w-]+:( |$)| +- )/gm, ''));
    expect(target.captures).toHaveProperty('loginState.from', ids.initiate);
    expect(target.options).toEqual({
      spec: 'openapi.yaml',
      ca: 'ca.pem',
      clientCert: 'client.pem',
      clientKey: 'client.key',
      unixSocket: '/run/service.sock',
      rate: 25,
      readOnly: true,
    });
    expect(target.exclusions).toHaveLength(1);
  });

  it.each(['https://host/a%20b', 'http://[::1]:80/x:y', "https://host/it's/$&"])(
    'holds the base URL %s',
    async (baseUrl) => {
      expect((await readText(targetTemplate(contract, { baseUrl }))).baseUrl).toBe(
        baseUrl.replace(':80/', '/'),
      );
    },
  );

  it('holds what was found, and what nobody knows as a comment', async () => {
    const text = targetTemplate(contract, {
      baseUrl: 'https://host',
      authorization: 'Bearer {key}',
      keys: { scoped: true, unscoped: false },
      headers: ['x-token'],
      parameters: [{ operation: ids.product, values: { slug: '$' + '{a}: # b' }, comment: 'found' }],
      query: [
        { operation: 'searchPublicProducts', values: { 'filter[q]': '$' + '{c}' }, comment: 'found' },
        { operation: 'listPublicLegalDocuments', comment: 'it refuses a call' },
      ],
      bodies: [
        { operation: ids.initiate, body: { a: '$' + '{b}' }, comment: 'taken' },
        { operation: ids.create, comment: 'to find out' },
      ],
      captures: { loginState: { from: ids.initiate, pointer: '/a' } },
      options: { ca: 'my.pem' },
    });
    const target = await readText(text.replace('$' + '{X_TOKEN}', 'x'));
    expect(target).toMatchObject({
      authorization: 'Bearer {key}',
      keys: { scoped: 'sk-scoped' },
      operationParameters: { [ids.product]: { slug: '$' + '{a}: # b' } },
      query: { searchPublicProducts: { 'filter[q]': '$' + '{c}' } },
      bodies: { [ids.initiate]: { a: '$' + '{b}' } },
      captures: { loginState: { from: ids.initiate, pointer: '/a' } },
      options: { ca: 'my.pem' },
    });
    expect(target.keys.unscoped).toBeUndefined();
    expect(text).toContain(`  # to find out\n#  ${ids.create}: { … }`);
  });
});
