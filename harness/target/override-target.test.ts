import { describe, expect, it } from 'vitest';
import { parseHeader } from './header-rules.ts';
import { overrideTarget, targetFromParts } from './target-description.ts';

const baseUrl = 'https://host';

describe('targetFromParts', () => {
  it('fills in defaults', () => {
    expect(targetFromParts({ baseUrl: 'https://host/', scopedKey: 'a' })).toEqual({
      baseUrl: 'https://host',
      authorization: '{key}',
      keys: { scoped: 'a' },
      parameters: {},
      operationParameters: {},
      bodies: {},
      captures: {},
      headers: [],
      exclusions: [],
      options: {},
    });
  });

  it.each([
    [{ baseUrl: 'host' }, '--base-url: the base URL has no scheme'],
    [{ baseUrl, scopedKey: 'hush\n' }, '--key: the key contains a line break'],
    [{ baseUrl, unscopedKey: '' }, '--unscoped-key: the key is empty'],
    [{ baseUrl, scopedKey: 'hush', unscopedKey: 'hush' }, '--unscoped-key: the unscoped key is the same'],
    [
      { baseUrl, scopedKey: ' hush', origins: { scopedKey: 'COMMERCE_KEY' } },
      'COMMERCE_KEY: the key starts or',
    ],
    [{ baseUrl, headers: [['host name', 'x']] as const }, '--header: "host name" is not a header name'],
  ])('refuses %j', (parts, message) => {
    const building = () => targetFromParts(parts);
    expect(building).toThrow(message);
    expect(building).not.toThrow('hush');
  });
});

describe('overrideTarget', () => {
  const file = targetFromParts({
    baseUrl,
    scopedKey: 'a',
    unscopedKey: 'b',
    headers: [
      ['X-One', '1'],
      ['x-two', '2'],
    ],
  });

  it('changes only what is given', () => {
    expect(overrideTarget(file, {})).toEqual(file);
    expect(overrideTarget(file, { scopedKey: 'c', headers: [['x-one', '3']] })).toEqual({
      ...file,
      keys: { scoped: 'c', unscoped: 'b' },
      headers: [
        ['x-two', '2'],
        ['x-one', '3'],
      ],
    });
  });

  it('refuses a key that the file has in the other role', () => {
    expect(() => overrideTarget(file, { scopedKey: 'b' })).toThrow('--key: the unscoped key is the same');
  });
});

describe('parseHeader', () => {
  it('reads name and value', () => {
    expect(parseHeader('X-A:  b: c ', '--header')).toEqual(['X-A', 'b: c']);
  });

  it.each(['X-A', ': b', 'a b: c', 'Authorization: x'])('refuses %j', (text) => {
    expect(() => parseHeader(text, '--header')).toThrow('--header: ');
  });
});
