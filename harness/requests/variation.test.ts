import { expect, it } from 'vitest';
import { type Change, together, type Variation, withHeader, withQuery } from './variation.ts';

const all = (...changes: readonly Change[]): readonly Variation[] =>
  changes.map((change, at) => ({ factor: 'test', id: String(at), says: 'test', change }));

it('joins the values of headers that are lists, and replaces other headers', () => {
  const { headers } = together(
    all(
      withHeader('cookie', 'token=a'),
      withHeader('cookie', 'session=b'),
      withHeader('accept', undefined),
      withHeader('via', '1.1 a'),
      withHeader('via', '1.1 b'),
    ),
    {},
  );
  expect(headers).toEqual({ cookie: 'token=a; session=b', accept: undefined, via: '1.1 b' });
});

it('puts the words of all searches into the first parameter', () => {
  const { query } = together(
    all(withQuery('page=1'), withQuery('q=linen'), withQuery('q=coat&q=coat'), withQuery('debug')),
    {},
  );
  expect(query).toBe('q=linen+coat&q=coat&page=1&debug');
});

it('keeps the row of a call beside the values that it gets', () => {
  const elsewhere: Variation = {
    ...{ factor: 'way', id: 'dots', says: 'dots', leadsElsewhere: true },
    change: (call) => call,
  };
  expect(together([...all(withQuery('a')), elsewhere], { row: { slug: 'unknown' } }).row).toEqual({
    ...{ slug: 'unknown', test: ['0'], way: ['dots'] },
    route: 'other',
  });
});
