import { escapeText } from '../model/escape.ts';

/** Words that may come from a target; at most `most` characters of them are shown. */
export interface Foreign {
  readonly foreign: string;
  readonly most?: number;
}

/** A text whose foreign parts are separate, so that each format escapes them in its own way. */
export type Text = readonly (string | Foreign)[];

/** A template tag: strings that are put in are foreign, numbers and texts are ours. */
export function say(words: TemplateStringsArray, ...values: readonly (string | number | Text)[]): Text {
  return words.flatMap((word, at) => {
    const value = values[at] ?? [];
    if (typeof value === 'number') return [word, String(value)];
    return [word, ...(typeof value === 'string' ? [{ foreign: value }] : value)];
  });
}

/** A foreign text that is shown up to a length. */
export function upTo(most: number, foreign: string): Text {
  return [{ foreign, most }];
}

/** Texts with a separator between them. */
export function joined(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((text, at) => (at === 0 ? text : [separator, ...text]));
}

/** The first few texts, and how many more there are. */
export function listed(texts: readonly Text[], most: number, separator: string = ', '): Text {
  const more = texts.length - most;
  return more > 0
    ? [...joined(texts.slice(0, most), separator), ` and ${more} more`]
    : joined(texts, separator);
}

/** The first few lines, and one that says how many more there are. */
export function firstLines(
  lines: readonly Text[],
  most: number,
  rest: (more: number) => Text,
): readonly Text[] {
  return lines.length > most ? [...lines.slice(0, most), rest(lines.length - most)] : lines;
}

/** A text as a format writes it; `show` makes each foreign part safe. */
export function written(text: Text, show: (foreign: string, most?: number) => string): string {
  return text.map((part) => (typeof part === 'string' ? part : show(part.foreign, part.most))).join('');
}

/** A text on one line, with everything invisible in its foreign parts made visible. */
export function plain(text: Text, longest: number = 300): string {
  return written(text, (foreign, most = longest) => escapeText(foreign, Math.min(most, longest)));
}
