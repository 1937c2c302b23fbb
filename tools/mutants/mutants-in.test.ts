import { expect, test } from 'vitest';
import { mutantsIn } from './mutants-in.ts';

test.each([
  ['const a = b === c;', ['const a = b !== c;']],
  ['const a = b < c && d;', ['const a = b <= c && d;', 'const a = b < c || d;']],
  ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
  ['const a = b ? true : c;', ['const a = !(b) ? true : c;', 'const a = b ? false : c;']],
  ['const a = 1_000;', ['const a = 1001;']],
  ["const a = 'b' + c;", []],
  ["import { a } from './b.ts';", []],
  ['type A = 1 | true;', []],
])('%s', (text, expected) => {
  const mutated = mutantsIn(text).map(
    ({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
  );
  expect(mutated.sort()).toEqual([...expected].sort());
});
