import { visibleText } from '../../harness/visible-text.ts';

/** Longest text from a target that is shown in one place, in characters. */
const shownLength = 300;

/** Makes a text that may come from a target safe to print on one line: escapes invisible characters, and cuts it at `limit`. */
export function escapeText(text: string, limit: number = shownLength): string {
  // Cut first, so that a flood costs nothing; a limit in UTF-16 units may halve a pair, which is then escaped.
  const kept = text.length > limit ? text.slice(0, limit) : text;
  const cut = text.length - kept.length;
  return visibleText(kept) + (cut > 0 ? `… (${cut} more characters)` : '');
}
