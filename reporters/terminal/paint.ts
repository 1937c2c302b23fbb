import type { createColors } from 'picocolors';
import type { Tone } from '../model/marks.ts';

/** The functions of picocolors, on or off. */
export type Colours = ReturnType<typeof createColors>;

/** Colours a text by its meaning. */
export function paint(colours: Colours, tone: Tone, text: string): string {
  switch (tone) {
    case 'good':
      return colours.green(text);
    case 'bad':
      return colours.red(text);
    case 'doubt':
      return colours.yellow(text);
    case 'open':
      return colours.cyan(text);
    case 'muted':
      return colours.dim(text);
  }
}
