import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** The text of a page, whose prose is written by hand. */
export function pageAt(...path: readonly string[]): Promise<string> {
  return readFile(join(packageRoot, ...path), 'utf8');
}

/** The page with one part written anew; a page that lacks the part would keep an old figure. */
export function withPart(page: string, part: RegExp, write: (kept: string) => string): string {
  if (!part.test(page)) throw new Error(`the page has no ${part}`);
  return page.replace(part, (_all, kept: unknown) => write(typeof kept === 'string' ? kept : ''));
}

/** The page with other rows in the table that has these columns. */
export function withRows(
  page: string,
  head: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): string {
  const first = head.join(' \\| ');
  return withPart(page, new RegExp(`^\\| ${first} \\|\\n(?:\\|.*\\n)+`, 'm'), () =>
    table(head, rows).join('\n'),
  );
}

/** The lines of a Markdown table, with an empty one below. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines, ''];
}
