import picocolors from 'picocolors';
import type { TerminalOptions } from '../terminal/terminal-options.ts';
import { escapeText } from './escape.ts';

/** A format that was written, and what a user would open. */
export interface Written {
  readonly format: string;
  readonly paths: readonly string[];
}

/** A line for each format, laid out like the figures of the verdict above them; empty where there is none. */
export function renderWritten(
  written: readonly Written[],
  { colour }: Pick<TerminalOptions, 'colour'>,
): string {
  const colours = picocolors.createColors(colour);
  return written
    .map(({ format, paths }) => {
      const shown = paths.map((path) => escapeText(path, 1_000)).join(', ');
      return `${colours.dim(`  ${format.padEnd(12)}`)}${shown}\n`;
    })
    .join('');
}
