import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defaultOptions } from '../../harness/target/default-options.ts';
import { packageRoot } from '../../spec/package-root.ts';
import { readFlags } from '../read-flags.ts';
import { renderPerformancePage, renderSection, type Section } from './section.ts';
import { installedSize } from './sections/installed-size.ts';
import { memoryHeld } from './sections/memory.ts';
import { fuzzThroughput } from './sections/throughput.ts';
import { wholeRun } from './sections/whole-run.ts';

const sections: readonly Section[] = [wholeRun, fuzzThroughput, memoryHeld, installedSize];

const { values } = readFlags({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1000' },
    write: { type: 'boolean', default: false },
  },
});
const names = sections.map(({ name }) => name);
const unknown = values.only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`--only ${unknown}: there is no such section; one of ${names.join(', ')}\n`);
  process.exit(2);
}

const settings = {
  rounds: Number(values.rounds),
  roundMs: Number(values['round-ms']),
  concurrency: defaultOptions.concurrency,
};
const circumstances = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  processors: availableParallelism(),
};
const measured = new Map<string, string>();
for (const section of sections) {
  if (values.only?.includes(section.name) === false) continue;
  const rendered = renderSection(section, await section.measure(settings), circumstances);
  process.stdout.write(`${rendered}\n`);
  measured.set(section.title, rendered);
}
if (values.write) {
  const file = join(packageRoot, 'docs', 'performance.md');
  const titles = sections.map(({ title }) => title);
  await writeFile(file, renderPerformancePage(await readFile(file, 'utf8'), titles, measured));
}
