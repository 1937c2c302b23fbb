import { expect, it } from 'vitest';
import { lastPrimaries } from './same-exchange.ts';

/** Which finding stands for which, by name. */
function last(explainedBy: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(lastPrimaries(new Map(Object.entries(explainedBy))));
}

it('follows explanations to their end', () => {
  expect(last({ a: 'b', b: 'c', d: 'c' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});

it('lets one stand for all where findings explain each other', () => {
  expect(last({ a: 'b', b: 'a' })).toEqual({ a: 'b' });
  expect(last({ a: 'b', b: 'c', c: 'a', d: 'a' })).toEqual({ a: 'c', b: 'c', d: 'c' });
});
