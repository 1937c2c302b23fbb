/** Longest text whose value is held on to. */
const longest = 1024 * 1024;

let last: { readonly text: string; readonly value: unknown } | undefined;

/**
 * JSON.parse, a byte order mark left aside as most readers do, which keeps the last value: all that look at an exchange
 * parse its body. The value is shared and must not be changed. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (last?.text === text) return last.value;
  const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (text.length <= longest) last = { text, value };
  return value;
}
