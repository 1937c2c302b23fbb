import { visibleText } from '../../harness/visible-text.ts';

const grouped = new Intl.NumberFormat('en-US');

/** A whole number with thousands separated. */
export function number(value: number): string {
  return grouped.format(value);
}

/** A number and its noun, such as `1 case` or `2 cases`. */
export function plural(value: number, one: string, many: string = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A time span for people, such as `3.2 s`. */
export function duration(ms: number): string {
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An estimate for people, such as `4 min`; never nothing. */
export function roughly(ms: number): string {
  return ms < 90_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60_000)} min`;
}

/** The first few of a list, and how many more there are. */
export function firstOf(items: readonly string[], most: number): string {
  const more = items.length - most;
  return more > 0 ? `${items.slice(0, most).join(', ')} and ${number(more)} more` : items.join(', ');
}

/** A sentence with a capital, unless it begins with something else than a plain word, such as a URL. */
export function sentence(text: string): string {
  return /^[a-z]+[ ,:]/.test(text) && !/^[a-z]+:\/\//.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

/** Longest text from a target that is shown in one place, in characters. */
const shownLength = 300;

/** Makes a text that may come from a target safe to print on one line: escapes invisible characters, and cuts it at `limit`. */
export function escapeText(text: string, limit: number = shownLength): string {
  // Cut first, so that a flood costs nothing; a limit in UTF-16 units may halve a pair, which is then escaped.
  const kept = text.length > limit ? text.slice(0, limit) : text;
  const cut = text.length - kept.length;
  return visibleText(kept) + (cut > 0 ? `… (${cut} more characters)` : '');
}
