import { expect, it } from 'vitest';
import { renderPerformancePage } from './performance-page.ts';

it('gives each section its method, its table and the command that repeats it', () => {
  const page = renderPerformancePage(
    [
      [
        { name: 'run', title: 'A whole run', method: 'It is run.', measure: () => Promise.reject() },
        { head: ['what', 'seconds'], rows: [['a | b', '1.5']], notes: ['So it was.'] },
      ],
    ],
    { date: '2026-01-02', node: 'v20.1.0', processors: 2 },
  );
  expect(page).toContain('on 2026-01-02, with Node.js 20.1.0 on 2 processors');
  expect(page).toContain('`npm run bench -- --only run` repeats it.');
  expect(page).toContain('| what | seconds |\n| --- | --- |\n| a \\| b | 1.5 |\n\nSo it was.\n');
});
