const wide =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Columns that an uncoloured text takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Pads with spaces to a number of columns. */
export function padColumns(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** The beginning of an uncoloured text that fits, ending in `…` where it was cut. */
export function cutColumns(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return `${takeColumns(text, width - 1)}…`;
}

function takeColumns(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    taken += character;
  }
  return taken;
}

/** Breaks an uncoloured text into lines of at most `width` columns, at spaces where it can; `indent` leads the first line, `hanging` the others. */
export function wrapText(text: string, width: number, indent: string, hanging: string = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  let empty = true;
  const flush = (): void => {
    lines.push(line.trimEnd());
    line = hanging;
    empty = true;
  };
  for (const part of text.match(/\S+\s*/g) ?? []) {
    let word = part;
    if (!empty && textWidth(line + word.trimEnd()) > width) flush();
    while (word.trimEnd() !== '' && textWidth(line + word.trimEnd()) > width) {
      const head = takeColumns(word, Math.max(2, width - textWidth(line)));
      line += head;
      word = word.slice(head.length);
      flush();
    }
    line += word;
    empty = false;
  }
  if (!empty || lines.length === 0) flush();
  return lines;
}
