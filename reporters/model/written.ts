import picocolors from 'picocolors';
import { escapeText } from './escape.ts';

/** A written format, and the files to open. */
export interface Written {
  readonly format: string;
  readonly paths: readonly string[];
}

/** A line for each written format, laid out like the figures of the verdict. */
export function renderWritten(written: readonly Written[], { colour }: { readonly colour: boolean }): string {
  const colours = picocolors.createColors(colour);
  return written
    .map(({ format, paths }) => {
      const shown = paths.map((path) => escapeText(path, 1_000)).join(', ');
      return `${colours.dim(`  ${format.padEnd(12)}`)}${shown}\n`;
    })
    .join('');
}
