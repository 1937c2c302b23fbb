import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Tells in time linear to a text whether a pattern matches within it. */
export interface LinearPattern {
  test(text: string): boolean;
}

const require = createRequire(import.meta.url);

/**
 * A pattern of somebody else's, in ECMAScript syntax; undefined where it cannot be matched in linear time, as with
 * lookaround and back references, or is no pattern.
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  for (const flags of ['u', '']) {
    try {
      const native = new RegExp(pattern, flags);
      if (cannotBacktrack(pattern)) return native;
      // Authors write for many engines: what ECMAScript refuses in both modes, no reader understands alike.
      break;
    } catch {
      if (flags === '') return undefined;
    }
  }
  try {
    // It is large, and most documents have no pattern that needs it.
    const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS };
    const compiled = engine.compile(engine.translateRegExp(withEveryWhitespace(pattern)));
    return { test: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}

/** Anchored, without groups and alternatives and with one repetition at the most: there is one way to match. */
function cannotBacktrack(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[\^?[^\]]*\]/g, 'x');
  return /^\^[^()|]*$/.test(bare) && (bare.match(/[*+?{]/g) ?? []).length <= 1;
}

const whitespace =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** RE2 knows the white space of ASCII alone. */
function withEveryWhitespace(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\[\s\S]|[[\]]/g, (part) => {
    if (part === '[') isInClass = true;
    else if (part === ']') isInClass = false;
    else if (part === '\\s') return isInClass ? whitespace : `[${whitespace}]`;
    else if (part === '\\S' && !isInClass) return `[^${whitespace}]`;
    return part;
  });
}
