import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

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
