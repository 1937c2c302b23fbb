import { expect, it } from 'vitest';
import { placeholdersIn } from './placeholders.ts';

it('finds names in texts with their paths', () => {
  expect(placeholdersIn({ a: ['{x} and {y_1}', { b: '{ z }', '{k}': 1 }], c: `\${d}` })).toEqual([
    { name: 'x', path: ['a', 0] },
    { name: 'y_1', path: ['a', 0] },
  ]);
});
