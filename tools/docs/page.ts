import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** The text of a page, whose prose is written by hand. */
export function pageAt(...path: readonly string[]): Promise<string> {
  return readFile(join(packageRoot, ...path), 'utf8');
}

/** A part of a page, and how it is written anew from the text that its group keeps. */
export type Part = readonly [part: RegExp, write: (kept: string) => string];

/** The page with some parts written anew, one after the other; a page that lacks a part would keep an old figure. */
export function withParts(page: string, ...parts: readonly Part[]): string {
  return parts.reduce((text, [part, write]) => {
    if (!part.test(text)) throw new Error(`the page has no ${part}`);
    return text.replace(part, (_all, kept: unknown) => write(typeof kept === 'string' ? kept : ''));
  }, page);
}

/** The page with other rows in the table that has these columns. */
export function withRows(
  page: string,
  head: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): string {
  const old = new RegExp(`^\\| ${head.join(' \\| ')} \\|\\n(?:\\|.*\\n)+`, 'm');
  return withParts(page, [old, () => table(head, rows).join('\n')]);
}

/** The lines of a Markdown table, with an empty one below. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...lines, ''];
}
