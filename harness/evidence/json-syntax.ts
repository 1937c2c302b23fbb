import type { JsonKind } from '../model/exchange.ts';

/** The JSON state of a text: a complete value, a value followed by something, a value that is cut off, or none. */
interface Scan {
  readonly state: 'whole' | 'followed' | 'cut' | 'wrong';
  /** The first character of the value. */
  readonly first: string;
  /** The text that follows it. */
  readonly rest?: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a string must not hold them
const endOfPlain = /["\\\u0000-\u001f]/g;
const wholeEscape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/y;
const cutScalar = /(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-?(?:(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))?)$/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The end of a match that begins at a place; undefined for none. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Where a string or another scalar that begins at a place ends. No pattern matches a whole string: it may be long. */
function endOfScalar(text: string, start: number): number | 'cut' | 'wrong' {
  if (text[start] !== '"') {
    const end = endOf(scalar, text, start);
    if (end !== undefined && !'.eE'.includes(text[end] ?? ' ')) return end;
    return endOf(cutScalar, text, start) === undefined ? 'wrong' : 'cut';
  }
  for (let at = start + 1; ; ) {
    const end = endOf(endOfPlain, text, at);
    if (end === undefined) return 'cut';
    if (text[end - 1] === '"') return end;
    const escaped = endOf(wholeEscape, text, end - 1);
    if (escaped === undefined) return endOf(cutEscape, text, end - 1) === undefined ? 'wrong' : 'cut';
    at = escaped;
  }
}

function behindBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}

/** A whole JSON text without the blanks between its parts; undefined where that is longer than `most` characters. */
export function withoutBlanks(text: string, most: number): string | undefined {
  let compact = '';
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const next = quote < 0 ? text.length : quote;
    // In pieces: of a flood without blanks, the first is too long already.
    for (; at < next; at += most) {
      compact += text.slice(at, Math.min(next, at + most)).replaceAll(/\s+/g, '');
      if (compact.length > most) return undefined;
    }
    if (quote < 0) break;
    const end = endOfScalar(text, quote);
    if (typeof end === 'string' || compact.length + end - quote > most) return undefined;
    compact += text.slice(quote, end);
    at = end;
  }
  return compact;
}

/** Reads a text without making its value: that of a flood takes ten times its size, and a deep one outgrows the stack. */
function scan(text: string): Scan {
  /** Of each open container, whether it is an object. */
  const open = new Uint8Array(text.length);
  let depth = 0;
  let wanted: 'value' | 'name' | 'comma' = 'value';
  let mayEnd = false;
  let at = behindBlanks(text, 0);
  const first = text[at] ?? '';
  for (; ; at = behindBlanks(text, at)) {
    const character = text[at];
    const isOver = depth === 0 && wanted === 'comma';
    if (character === undefined) return { state: isOver ? 'whole' : 'cut', first };
    if (isOver) return { state: 'followed', first, rest: text.slice(at) };
    const isInObject = open[depth - 1] === 1;
    if (mayEnd && character === (isInObject ? '}' : ']')) {
      depth -= 1;
      at += 1;
      wanted = 'comma';
    } else if (wanted === 'comma') {
      if (character !== ',') return { state: 'wrong', first };
      at += 1;
      wanted = isInObject ? 'name' : 'value';
      mayEnd = false;
    } else if (wanted === 'value' && (character === '{' || character === '[')) {
      const isObject = character === '{';
      open[depth] = isObject ? 1 : 0;
      depth += 1;
      at += 1;
      wanted = isObject ? 'name' : 'value';
      mayEnd = true;
    } else {
      if (wanted === 'name' && character !== '"') return { state: 'wrong', first };
      const end = endOfScalar(text, at);
      if (typeof end === 'string') return { state: end, first };
      at = end;
      mayEnd = wanted === 'value';
      if (wanted === 'value') wanted = 'comma';
      else {
        at = behindBlanks(text, at);
        if (at === text.length) return { state: 'cut', first };
        if (text[at] !== ':') return { state: 'wrong', first };
        at += 1;
        wanted = 'value';
      }
    }
  }
}

/** The JSON type of a text; agrees with JSON.parse, and ignores a byte order mark, as most readers do. */
export function jsonKind(text: string): JsonKind {
  const content = withoutMark(text);
  if (content === '') return 'empty';
  const { state, first } = scan(content);
  return state === 'whole' ? (kinds[first] ?? 'number') : 'malformed';
}

const kinds: Readonly<Record<string, JsonKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** Whether a text begins as a JSON object or array and ends before that does, with nothing wrong until there. */
export function isCutJson(text: string): boolean {
  const { state, first } = scan(text);
  return state === 'cut' && (first === '{' || first === '[');
}

/** Whether a text is a whole JSON value and goes on with an object or array. */
export function isJsonTwice(text: string): boolean {
  return /^[[{]/.test(scan(text).rest ?? '');
}

/** Places at which the JSON behind another text is looked for, and characters among which these are. */
const [mostPlaces, mostBefore] = [8, 10_000];

/** Text before or after a complete JSON object or array, such as a warning; undefined for none. */
export function textBesideJson(text: string): string | undefined {
  const { first, rest } = scan(withoutMark(text));
  if (rest !== undefined && (first === '{' || first === '[')) return rest.trim();
  const places = [...text.slice(0, mostBefore).matchAll(/[[{]/g)].slice(0, mostPlaces);
  const at = places.find(({ index }) => scan(text.slice(index)).state === 'whole')?.index;
  return withoutMark(text.slice(0, at ?? 0)).trim() || undefined;
}

/** Longest text whose value is held on to. */
const longest = 1024 * 1024;

let last: { readonly text: string; readonly value: unknown } | undefined;

/**
 * JSON.parse, a byte order mark left aside as most readers do, which keeps the last value: all that look at an exchange
 * parse its body. The value is shared and must not be changed. Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  if (last?.text === text) return last.value;
  const value: unknown = JSON.parse(withoutMark(text));
  if (text.length <= longest) last = { text, value };
  return value;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
