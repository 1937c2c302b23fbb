import { availableParallelism } from 'node:os';
import { table } from '../docs/page.ts';

/** One measurement of the benchmark: what it measures, how, and its table. */
export interface Section {
  /** The value of `--only`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, in sentences. */
  readonly method: string;
  measure(): Promise<Measured>;
}

/** The outcome of a section: its table, and sentences below it. */
export interface Measured {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  readonly notes?: readonly string[];
}

/** Measurements of one thing, of which the median counts. */
export const rounds = 7;

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
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

/** One section of the page, measured here and now. */
export function renderSection(
  { name, title, method }: Section,
  { head, rows, notes = [] }: Measured,
): string {
  const date = new Date().toISOString().slice(0, 10);
  return [
    `## ${title}`,
    '',
    method,
    '',
    `Measured on ${date} with Node.js ${process.versions.node} on ${availableParallelism()} processors; \`npm run bench -- --only ${name}\` repeats it.`,
    '',
    ...table(head, rows),
    ...notes.flatMap((note) => [note, '']),
  ].join('\n');
}
