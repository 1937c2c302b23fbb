import { expect, it } from 'vitest';
import { renderPerformancePage, renderSection } from './section.ts';

it('replaces the sections that were measured, and keeps the others', () => {
  const old = '# Performance\n\n## A whole run\n\nOld figures.\n\n## The proof\n\nKept figures.\n';
  const section = renderSection(
    { name: 'run', title: 'A whole run', method: 'It is run.', measure: () => Promise.reject() },
    { head: ['what', 'seconds'], rows: [['a | b', '1.5']], notes: ['So it was.'] },
  );
  const titles = ['A whole run', 'The proof', 'Never measured'];
  const page = renderPerformancePage(old, titles, new Map([['A whole run', section]]));
  expect(page).toMatch(
    /^Measured on \d{4}-\d\d-\d\d with Node.js [\d.]+ on \d+ processors; `npm run bench -- --only run` repeats it\.$/m,
  );
  expect(page).toContain(
    '| what | seconds |\n|---|---|\n| a \\| b | 1.5 |\n\nSo it was.\n\n## The proof\n\nKept',
  );
  expect(page).not.toMatch(/Old figures|Never measured/);
});
