import { expect, test } from 'vitest';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { together } from '../../harness/requests/variation.ts';
import { isBesideThePath, synonymsOf, waysElsewhere } from './elsewhere.ts';

test('a value goes out in query and headers by all names for its kind of resource', () => {
  const [products, config] = [
    exampleOperation({ pathParameters: ['merchantSlug'], parameterKinds: { merchantSlug: 'merchant' } }),
    exampleOperation({ pathParameters: ['store'], parameterKinds: { store: 'merchant' } }),
  ];
  const synonyms = synonymsOf('merchantSlug', products, [products, config]);
  const named = { name: 'merchantSlug', synonyms, inPath: 'linen', elsewhere: 'a b' };
  const { query, headers } = together(waysElsewhere(named).filter(isBesideThePath), {});
  expect(query).toBe('merchantSlug=a%20b&store=a%20b&merchant_slug=a%20b&id=a%20b');
  const names = ['merchantslug', 'store', 'merchant-slug'].flatMap((one) => [one, `x-${one}`]);
  expect(headers).toEqual({
    cookie: 'merchantSlug=a%20b',
    referer: 'https://shop.example/a%20b',
    ...Object.fromEntries(names.map((one) => [one, 'a%20b'])),
  });
});

test('a parameter of unknown kind has no other name', () => {
  const read = exampleOperation({ pathParameters: ['sessionId'] });
  expect(synonymsOf('sessionId', read, [read])).toEqual(['sessionId']);
});
