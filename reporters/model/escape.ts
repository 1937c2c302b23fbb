/** Longest text from a target that is shown in one place, in characters. */
const shownLength = 300;

// Controls, format characters (bidi overrides among them), line and paragraph separators, lone surrogates,
// private and unassigned code points, and all else that is invisible by definition.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return (
    short[character] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
  );
}

/** Makes a text that may come from a target safe to print on one line: what is invisible becomes a visible escape, what is longer than `limit` is cut. */
export function escapeText(text: string, limit: number = shownLength): string {
  // Cut first, so that a flood costs nothing; a limit in UTF-16 units may halve a pair, which is then escaped.
  const kept = text.length > limit ? text.slice(0, limit) : text;
  const cut = text.length - kept.length;
  return kept.replace(unsafe, visible) + (cut > 0 ? `… (${cut} more characters)` : '');
}
