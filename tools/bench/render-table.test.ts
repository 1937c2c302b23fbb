import { expect, it } from 'vitest';
import { renderTable } from './render-table.ts';

it('lines columns up, figures to the right', () => {
  expect(
    renderTable(
      ['what', 'ratio'],
      [
        ['harness', '0.5'],
        ['', '10.25'],
      ],
    ),
  ).toBe(['what     ratio', '-------  -----', 'harness    0.5', '         10.25', ''].join('\n'));
});
