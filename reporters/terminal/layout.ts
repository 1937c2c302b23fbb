import cliTruncate from 'cli-truncate';
import picocolors from 'picocolors';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { plain, type Text } from '../blocks/block.ts';
import type { Tone } from '../model/marks.ts';
import type { Place } from '../model/replay-command.ts';

/** How a report is printed. */
export interface TerminalOptions extends Place {
  readonly colour: boolean;
  /** Columns of the terminal; only lines to be copied, for a shell or a target file, can be longer. */
  readonly width: number;
  /** Only root causes and verdict. */
  readonly quiet?: boolean;
}

/** The functions of picocolors, on or off. */
export type Colours = ReturnType<typeof picocolors.createColors>;

/** Paints and wraps for one terminal. */
export interface Layout {
  readonly colours: Colours;
  /** The layout width, within limits that the terminal cannot exceed. */
  readonly width: number;
  readonly paint: (tone: Tone, text: string) => string;
  readonly heading: (tone: Tone, text: Text) => string[];
  /** A text in lines behind `indent`, all but the first indented by two more columns; `lead` is painted, and begins the text. */
  readonly wrap: (
    text: Text,
    indent: number,
    lead?: { readonly text: Text; readonly tone: Tone },
  ) => string[];
}

/** Longest foreign text that is shown in one place, in characters. */
const longest = 1_000;

/** Prepares the layout of a terminal. */
export function layoutOf({ colour, width }: Pick<TerminalOptions, 'colour' | 'width'>): Layout {
  const colours = picocolors.createColors(colour);
  const columns = Number.isFinite(width) ? Math.min(Math.max(40, Math.floor(width)), 160) : 80;
  const tones = {
    good: colours.green,
    bad: colours.red,
    doubt: colours.yellow,
    open: colours.cyan,
    muted: colours.dim,
  };
  return {
    colours,
    width: columns,
    paint: (tone, text) => tones[tone](text),
    heading: (tone, text) =>
      text.length === 0
        ? []
        : wrapText(plain(text, longest), columns, '', '  ').map((line) => tones[tone](colours.bold(line))),
    wrap: (text, indent, lead) => {
      const before = lead === undefined ? '' : plain(lead.text, longest);
      const space = ' '.repeat(indent);
      const whole = `${before}${before === '' ? '' : ' '}${plain(text, longest)}`;
      const [first = '', ...rest] = wrapText(whole, columns, space, `${space}  `);
      if (lead === undefined) return [first, ...rest];
      return [first.replace(before, () => tones[lead.tone](colours.bold(before))), ...rest];
    },
  };
}

/** Pads with spaces to a number of columns. */
export function padColumns(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** The beginning of a text that fits, ending in `…` where it was cut. */
export function cutColumns(text: string, width: number): string {
  const cut = cliTruncate(text, width);
  // A character of two columns can reach beyond the edge.
  return stringWidth(cut) > width ? cliTruncate(text, width - 1) : cut;
}

/** Breaks a text into lines of at most `width` columns; `indent` leads the first line, `hanging` the others. */
export function wrapText(text: string, width: number, indent: string, hanging: string = indent): string[] {
  const wrap = (part: string, columns: number): string[] =>
    wrapAnsi(part, Math.max(2, columns), { hard: true }).split('\n');
  const whole = text.trim();
  const [first = ''] = wrap(whole, width - indent.length);
  const rest = whole.slice(first.length).trimStart();
  const others = rest === '' ? [] : wrap(rest, width - hanging.length);
  return [`${indent}${first}`, ...others.map((line) => hanging + line)].map((line) => line.trimEnd());
}
