import { table } from '../docs/page.ts';
import type { Measured, Section } from './section.ts';

/** Where and when the figures were measured. */
export interface Circumstances {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Version of Node.js. */
  readonly node: string;
  readonly processors: number;
}

/** The page docs/performance.md: measured sections replace their predecessors, the others stay. */
export function renderPerformancePage(
  page: string,
  titles: readonly string[],
  measured: ReadonlyMap<string, string>,
): string {
  const [head = '', ...sections] = page.split(/^(?=## )/m);
  const parts = sections.map((part) => [part.slice(3, part.indexOf('\n')), `${part.trimEnd()}\n`] as const);
  const current = new Map([...parts, ...measured]);
  return head + titles.flatMap((title) => current.get(title) ?? []).join('\n');
}

/** One section of the page. */
export function renderSection(
  { name, title, method }: Section,
  { head: names, rows, notes = [] }: Measured,
  { date, node, processors }: Circumstances,
): string {
  return [
    `## ${title}`,
    '',
    method,
    '',
    `Measured on ${date} with Node.js ${node.replace(/^v/, '')} on ${processors} processors; \`npm run bench -- --only ${name}\` repeats it.`,
    '',
    ...table(names, rows),
    ...notes.flatMap((note) => [note, '']),
  ].join('\n');
}
