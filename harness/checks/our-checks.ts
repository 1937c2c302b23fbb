import type { Check, IdentifiedCheck } from './check.ts';

const suites = '../../suites/';
const suffix = '.check.ts';
// vite, which builds the program and runs the tests, lists the files.
const found = import.meta.glob<Check>('../../suites/**/*.check.ts', { import: 'check', eager: true });

/** Every check below suites/, in the order of their ids; the path of a file gives the id. */
export const ourChecks: readonly IdentifiedCheck[] = Object.entries(found)
  .map(([file, check]) => {
    const id = file.slice(suites.length, -suffix.length);
    return { ...check, id, area: id.split('/', 1)[0] ?? id };
  })
  .sort((a, b) => (a.id < b.id ? -1 : 1));
