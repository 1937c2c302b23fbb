const whitespace =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notWhitespace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** The largest repetition of RE2, and the repetitions that one pattern may be expanded to. */
const mostRepeats = 1_000;
const mostExpanded = 5_000;

/** A pattern of ECMAScript in the syntax of RE2, with the same meaning. */
export function translatePattern(pattern: string): string {
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
  if (token === '[]') return '[^\\x{0}-\\x{10ffff}]';
  if (token === '[^]') return '[\\x{0}-\\x{10ffff}]';
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
