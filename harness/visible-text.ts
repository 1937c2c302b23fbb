// Controls, format characters (bidi overrides among them), line and paragraph separators, lone surrogates,
// private and unassigned code points, and all else that is invisible by definition.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// GitHub Actions and Azure Pipelines obey these wherever in a line they stand.
const logCommand = /##(?=\w*\[)/g;

/**
 * Makes a text safe to print on one line: characters that are invisible or change the direction of text become escapes, and
 * commands to the runner of a CI job lose their meaning.
 */
export function visibleText(text: string): string {
  return text.replace(unsafe, visible).replace(logCommand, '#\\x23');
}

/** The first line of a text, such as an error without its stack. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Characters of a text that are quoted. */
export const longest = 80;

/** One line that can be seen, cut where it is long. */
export function bounded(text: string): string {
  const start = text.slice(0, 10 * longest);
  const line = visibleText(start.replace(/\s+/g, ' ').trim());
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** One line that can be seen, cut in its middle where it is long: a number often stands at the end. */
export function abridged(text: string): string {
  const line = visibleText(text.replace(/\s+/g, ' ').trim());
  if (line.length <= longest) return line;
  return `${line.slice(0, (longest * 3) / 4)}…${line.slice(-longest / 4)}`;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return (
    short[character] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
  );
}
