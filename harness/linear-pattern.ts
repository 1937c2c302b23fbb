import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { translatePattern } from './translate-pattern.ts';

/** Tells in time linear to a text whether a pattern matches within it. */
export interface LinearPattern {
  test(text: string): boolean;
}

const require = createRequire(import.meta.url);

/**
 * A foreign pattern in ECMAScript syntax; undefined where it cannot be matched in linear time, as with back references
 * and lookaround within the pattern, or is no pattern.
 */
export function linearPattern(pattern: string): LinearPattern | undefined {
  for (const flags of ['u', '']) {
    try {
      const native = new RegExp(pattern, flags);
      if (cannotBacktrack(pattern)) return native;
      return withoutOuterLookaround(pattern) ?? compile(pattern);
    } catch {
      // Without the flag, ECMAScript is more lenient.
    }
  }
  return undefined;
}

function compile(pattern: string): LinearPattern | undefined {
  try {
    // It is large, and most documents have no pattern that needs it.
    const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS };
    const compiled = engine.compile(engine.translateRegExp(translatePattern(pattern)));
    return { test: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}

/** Anchored, without groups and alternatives and with one variable repetition at most: there is one way to match. */
function cannotBacktrack(pattern: string): boolean {
  const bare = bareOf(pattern).replaceAll(/\{\d+\}/g, '');
  return /^\^[^()|]*$/.test(bare) && (bare.match(/[*+?{]/g) ?? []).length <= 1;
}

/** The pattern with `x` for each escape and class, each of the same length as what it replaces. */
function bareOf(pattern: string): string {
  const filler = (part: string): string => 'x'.repeat(part.length);
  return pattern.replaceAll(/\\[\s\S]/g, filler).replaceAll(/\[[^\]]*\]/g, filler);
}

/**
 * Lookahead directly after `^` and lookbehind directly before `$` hold or not whatever the rest matches, so that each is
 * a pattern of its own.
 */
function withoutOuterLookaround(pattern: string): LinearPattern | undefined {
  let bare = bareOf(pattern);
  const hasAlternatives = depthsIn(bare).some((depth, at) => depth === 0 && bare[at] === '|');
  if (!bare.startsWith('^') || hasAlternatives || /\\[1-9k]/.test(pattern)) return undefined;
  const conditions: Array<{ readonly source: string; readonly expected: boolean }> = [];
  let rest = pattern.slice(1);
  bare = bare.slice(1);
  for (let opening = /^\(\?[=!]/.exec(bare); opening !== null; opening = /^\(\?[=!]/.exec(bare)) {
    const end = depthsIn(bare).indexOf(0);
    conditions.push({ source: `^(?:${rest.slice(3, end)})`, expected: bare[2] === '=' });
    rest = rest.slice(end + 1);
    bare = bare.slice(end + 1);
    // A repeated lookahead may hold or not.
    if (/^[*+?{]/.test(bare)) return undefined;
  }
  for (let start = startOfLast(bare); start !== undefined; start = startOfLast(bare)) {
    conditions.push({ source: `(?:${rest.slice(start + 4, -2)})$`, expected: bare[start + 3] === '=' });
    rest = `${rest.slice(0, start)}$`;
    bare = `${bare.slice(0, start)}$`;
  }
  if (conditions.length === 0) return undefined;
  const whole = compile(`^${rest}`);
  const compiled = conditions.map(({ source, expected }) => ({ condition: compile(source), expected }));
  if (whole === undefined || compiled.some(({ condition }) => condition === undefined)) return undefined;
  return {
    test: (text) =>
      whole.test(text) && compiled.every(({ condition, expected }) => condition?.test(text) === expected),
  };
}

/** How many groups are open behind each character. */
function depthsIn(bare: string): readonly number[] {
  let depth = 0;
  return Array.from({ length: bare.length }, (_, at) => {
    depth += Number(bare[at] === '(') - Number(bare[at] === ')');
    return depth;
  });
}

/** Where a lookbehind directly before the final `$` begins. */
function startOfLast(bare: string): number | undefined {
  if (!bare.endsWith(')$')) return undefined;
  const start = depthsIn(bare.slice(0, -2)).lastIndexOf(0) + 1;
  return /^\(\?<[=!]/.test(bare.slice(start)) ? start : undefined;
}
