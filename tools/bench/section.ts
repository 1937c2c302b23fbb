import { table } from '../docs/page.ts';

/** One measurement of the benchmark: what it measures, how, and its table. */
export interface Section {
  /** The value of `--only`. */
  readonly name: string;
  readonly title: string;
  /** How it is measured, in sentences. */
  readonly method: string;
  measure(settings: BenchSettings): Promise<Measured>;
}

/** How thoroughly the benchmark measures. */
export interface BenchSettings {
  readonly rounds: number;
  readonly roundMs: number;
  /** Requests under way at once. */
  readonly concurrency: number;
}

/** The outcome of a section. */
export interface Measured {
  readonly head: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Sentences below the table. */
  readonly notes?: readonly string[];
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

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
