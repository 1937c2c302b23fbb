import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Tells in time linear to a text whether a pattern matches within it. */
export interface LinearPattern {
  test(text: string): boolean;
}

const require = createRequire(import.meta.url);

/** A foreign pattern of ECMAScript; undefined where it cannot be matched in linear time, or is no pattern. */
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

/** Lookahead after `^` and lookbehind before `$` hold whatever the rest matches: patterns of their own. */
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

const whitespace =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notWhitespace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** The largest repetition of RE2, and the repetitions that one pattern may be expanded to. */
const mostRepeats = 1_000;
const mostExpanded = 5_000;

/** A pattern of ECMAScript in the syntax of RE2, with the same meaning. */
function translatePattern(pattern: string): string {
  const tokens = pattern.match(tokenPattern) ?? [];
  const parts: string[] = [];
  /** Where the groups that are still open begin, and where the last complete atom does. */
  const open: number[] = [];
  let atom = 0;
  let expanded = 0;
  for (const token of tokens) {
    const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
    if (least !== undefined) {
      const upper = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
      const largest = Math.max(Number(least), upper === Number.POSITIVE_INFINITY ? 0 : upper);
      if (largest > mostRepeats) {
        expanded += largest;
        if (expanded > mostExpanded) throw new RangeError('too many repetitions');
        const repeated = parts.splice(atom).join('');
        parts.push(`(?:${repeat(repeated, Number(least), upper)})`);
        continue;
      }
      parts.push(token);
      continue;
    }
    if (!/^[*+?]$/.test(token)) atom = parts.length;
    if (token.startsWith('(')) open.push(parts.length);
    if (token === ')') atom = open.pop() ?? 0;
    parts.push(translateToken(token));
  }
  return parts.join('');
}

const tokenPattern =
  /\\u\{[0-9a-f]+\}|\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\c[a-z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+,?\d*\}|\(\?(?:<[A-Za-z_$][\w$]*>|<?[=!]|:)|[\s\S]/giu;

function translateToken(token: string): string {
  if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (token === '\\s') return `[${whitespace}]`;
  if (token === '\\S') return `[^${whitespace}]`;
  if (token.startsWith('[') && token.length > 1) return translateClass(token);
  return token;
}

function translateClass(token: string): string {
  const [, negated = '', inner = ''] = /^\[(\^?)([\s\S]*)\]$/.exec(token) ?? [];
  const members = inner.match(memberPattern) ?? [];
  const isSet = (member: string | undefined): boolean => /^\\[dDwWsSpP]/.test(member ?? '');
  const translated = members.map((member, at) => {
    // Beside a set such as \w, a hyphen stands for itself.
    if (member === '-' && (isSet(members[at - 1]) || isSet(members[at + 1]))) return '\\-';
    if (member === '\\s') return whitespace;
    if (member === '\\S') return notWhitespace;
    if (member === '\\b') return '\\x08';
    return member === '[' ? '\\[' : member;
  });
  return `[${negated}${translated.join('')}]`;
}

const memberPattern =
  /\\u\{[0-9a-f]+\}|\\[pP]\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\c[a-z]|\\[\s\S]|[\s\S]/giu;

/** RE2 bounds each repetition, not their number. */
function repeat(atom: string, least: number, most: number): string {
  const chunks = (times: number, quantifier: (count: number) => string): string => {
    const full = quantifier(mostRepeats).repeat(Math.floor(times / mostRepeats));
    return times % mostRepeats === 0 ? full : full + quantifier(times % mostRepeats);
  };
  const required = chunks(least, (count) => `${atom}{${count}}`);
  if (most === Number.POSITIVE_INFINITY) return `${required}${atom}*`;
  return required + chunks(most - least, (count) => `${atom}{0,${count}}`);
}
