import { describe, expect, it } from 'vitest';
import { readText } from './refusals-for-tests.ts';
import { targetTemplate } from './target-template.ts';

describe('targetTemplate', () => {
  it('is a target file', async () => {
    const target = await readText(targetTemplate());
    expect(target.keys).toEqual({ scoped: 'sk-scoped', unscoped: 'sk-plain' });
    expect(target.parameters).toEqual({});
  });

  it('is a target file with all its options uncommented', async () => {
    const target = await readText(targetTemplate().replaceAll(/^#(?=\S| +[\w-]+:( |$)| +- )/gm, ''));
    expect(target.captures).toHaveProperty('loginState.from', 'initiateHostedLogin');
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
      expect((await readText(targetTemplate({ baseUrl }))).baseUrl).toBe(baseUrl.replace(':80/', '/'));
    },
  );
});
