import { escapeText } from '../model/wording.ts';

// Letters, digits and marks that cannot begin a list, a link or emphasis; a text with any other character is shown as code.
const plain = /^(?!\d+[.)])[A-Za-z0-9](?:[A-Za-z0-9 ,;()']|[:.](?= |$)|-(?=[A-Za-z0-9]))*$/;
// GitHub turns anything that looks like a commit or an issue into a link.
const reference = /\b(?:[0-9a-f]{7,}|gh-\d+)\b/i;

/** A text as it reads where it is harmless prose, else as code, in which nothing is markup, a mention or a link. */
export function inline(text: string, most?: number): string {
  const shown = escapeText(text, most);
  return plain.test(shown) && !reference.test(shown) ? shown : code(shown);
}

/** A text as a code span on one line, also for tables. */
export function code(text: string): string {
  // A bar would end the cell of a table, even in code.
  const shown = escapeText(text).replaceAll('|', '\\x7c');
  if (shown === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const space = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines as a code block that they cannot end; line breaks stay, other invisible characters are escaped. */
export function codeBlock(text: string, language: string, longest: number): string {
  const shown = text
    .slice(0, longest)
    .split('\n')
    .map((line) => escapeText(line, longest))
    .join('\n');
  const more = text.length - longest;
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  const rest = more > 0 ? `\n\n… and ${more} more characters` : '';
  return `${fence}${language}\n${shown}\n${fence}${rest}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
