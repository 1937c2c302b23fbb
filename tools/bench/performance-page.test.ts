import { expect, it } from 'vitest';
import { renderPerformancePage } from './performance-page.ts';

const circumstances = { date: '2026-01-02', node: 'v20.1.0', processors: 2 };

it('replaces the sections that were measured, and keeps the others', () => {
  const old = '# Performance\n\n## A whole run\n\nOld figures.\n\n## The proof\n\nKept figures.\n';
  const page = renderPerformancePage(
    old,
    ['A whole run', 'The proof', 'Never measured'],
    [
      [
        { name: 'run', title: 'A whole run', method: 'It is run.', measure: () => Promise.reject() },
        { head: ['what', 'seconds'], rows: [['a | b', '1.5']], notes: ['So it was.'] },
      ],
    ],
    circumstances,
  );
  expect(page).toContain(
    'Measured on 2026-01-02 with Node.js 20.1.0 on 2 processors; `npm run bench -- --only run` repeats it.',
  );
  expect(page).toContain(
    '| what | seconds |\n| --- | --- |\n| a \\| b | 1.5 |\n\nSo it was.\n\n## The proof\n\nKept',
  );
  expect(page).not.toMatch(/Old figures|Never measured/);
});
