import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';
import { readFlags } from '../read-flags.ts';
import { renderPerformancePage, renderSection } from './section.ts';
import { sections } from './sections.ts';

const { values } = readFlags({
  options: {
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});
const names = sections.map(({ name }) => name);
const unknown = values.only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`--only ${unknown}: there is no such section; one of ${names.join(', ')}\n`);
  process.exit(2);
}
const measured = new Map<string, string>();
for (const section of sections) {
  if (values.only?.includes(section.name) === false) continue;
  const rendered = renderSection(section, await section.measure());
  process.stdout.write(`${rendered}\n`);
  measured.set(section.title, rendered);
}
if (values.write) {
  const file = join(packageRoot, 'docs', 'performance.md');
  const titles = sections.map(({ title }) => title);
  await writeFile(file, renderPerformancePage(await readFile(file, 'utf8'), titles, measured));
}
