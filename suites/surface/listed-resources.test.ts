import { expect, it } from 'vitest';
import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { listedValues } from './listed-resources.ts';

const plain = Array.from({ length: 9 }, (_, at) => `mug-${at}`);

function readOf(member: string): Exchange {
  const read = exampleExchange({ status: 200, body: JSON.stringify({ [member]: 'known' }) });
  return {
    ...read,
    request: { ...read.request, values: { slug: { value: 'known', source: 'target-file' } } },
  };
}

function listed(member: string, values: readonly string[]): readonly string[] {
  const body = JSON.stringify({ items: ['known', ...values].map((value) => ({ [member]: value })) });
  return listedValues(exampleExchange({ status: 200, body }), readOf(member), 'slug');
}

it('are spread from the first to the last', () => {
  expect(listed('slug', plain)).toEqual(['mug-0', 'mug-2', 'mug-4', 'mug-6', 'mug-8']);
});

it('have those with special characters first, where their name says that they identify', () => {
  expect(listed('slug', [...plain, 'card+cover', 'kärtchen'])).toEqual([
    'card+cover',
    'kärtchen',
    'mug-0',
    'mug-4',
    'mug-8',
  ]);
  const decomposed = 'ka\u0308rtchen';
  expect(listed('slug', [...plain, 'a/b', 'a%2Fb', 'mug.json', '..', decomposed])).toEqual(
    listed('slug', plain),
  );
  expect(listed('code', [...plain, 'card+cover'])).not.toContain('card+cover');
});

it('have those of unlike items first', () => {
  const items = ['known', ...plain].map((slug) => ({
    slug,
    rating: slug === 'mug-3' ? null : 4,
    ...(slug === 'mug-5' ? {} : { tags: ['new', 'red'] }),
  }));
  const listing = exampleExchange({ status: 200, body: JSON.stringify({ items }) });
  expect(listedValues(listing, readOf('slug'), 'slug')).toEqual([
    'mug-3',
    'mug-5',
    'mug-0',
    'mug-4',
    'mug-8',
  ]);
});
