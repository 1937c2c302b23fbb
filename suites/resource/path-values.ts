/** A string for a path parameter, chosen because real services answer strings of its kind wrongly. */
export interface PathValue {
  /** Names the kind, also for leaving it out. */
  readonly class: string;
  /** What it is, in a word or two. */
  readonly what: string;
  /** As it goes out, made from the known value's percent-encoding. */
  readonly raw: (known: string) => string;
  /** May be read as the known value: a NUL may end a string, case and white space may mean nothing. */
  readonly ofKnown: boolean;
  /** May be read as more than one segment, or as fewer, and so reach another route. */
  readonly isStructural: boolean;
}

function ofKnown(name: string, what: string, raw: PathValue['raw']): PathValue {
  return { class: name, what, raw, ofKnown: true, isStructural: false };
}

function other(name: string, what: string, raw: string): PathValue {
  return { class: name, what, raw: () => raw, ofKnown: false, isStructural: false };
}

function structural(name: string, what: string, raw: PathValue['raw']): PathValue {
  return { class: name, what, raw, ofKnown: true, isStructural: true };
}

/**
 * One of each kind, several in one value where they fail for the same reason. Left out is what is no string in a path
 * parameter at all: malformed percent-encoding and the empty segment.
 */
export const pathValues: readonly PathValue[] = [
  ofKnown('nul', 'NUL', (known) => `${known}%00`),
  ofKnown('line-break', 'line break', (known) => `${known}%0D%0Ax-conformance:%201`),
  ofKnown('quotes', 'quotes and a backslash', (known) => `${known}%27%22%5C`),
  ofKnown('sql', 'SQL', (known) => `${known}%27%20OR%20%271%27%3D%271`),
  other(
    'metacharacters',
    'characters of patterns, templates and shells',
    '%5B%28%2A%2B%3F%24%7B7%2A7%7D%7B%7B7%2A7%7D%7D%3B%60id%60%7Cid',
  ),
  other('markup', 'HTML', '%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E'),
  ofKnown('query-characters', 'question mark and number sign', (known) => `${known}%3Fa%3Db%23c`),
  structural('encoded-slash', 'encoded slash', (known) => `${known}%2F${known}`),
  structural('dot-segment', 'encoded dot segment', () => '%2e%2e'),
  structural('traversal', 'encoded path to a file', () => '..%2F..%2F..%2Fetc%2Fpasswd'),
  other('percent-sign', 'percent signs, encoded twice', '100%25%252F'),
  other('not-utf-8', 'bytes that are not UTF-8', '%C0%AF%ED%A0%80%FF'),
  other('astral', 'emoji', 'shirt-%F0%9F%91%95'),
  other(
    'not-normalised',
    'combining marks and full-width letters',
    'cafe%CC%81-%EF%BD%93%EF%BD%88%EF%BD%89%EF%BD%92%EF%BD%94',
  ),
  ofKnown('invisible', 'right-to-left and zero-width characters', (known) => `%E2%80%AE${known}%E2%80%8B`),
  other('blank', 'space alone', '%20'),
  ofKnown('white-space', 'known value between spaces', (known) => `%20${known}%20`),
  other('long', '256 letters', 'a'.repeat(256)),
  other('very-long', '4096 letters', 'a'.repeat(4096)),
  other('zero', 'number 0', '0'),
  other('negative-number', 'number -1', '-1'),
  other('exponent', 'number with an exponent', '1e9'),
  other('large-number', 'number of 20 digits', '99999999999999999999'),
  other('null', 'word null', 'null'),
  other('undefined', 'word undefined', 'undefined'),
  other('constructor', 'word constructor', 'constructor'),
  other('proto', 'word __proto__', '__proto__'),
  ofKnown('other-case', 'known value in the other case', swapCase),
  ofKnown('suffix', 'known value with a file extension', (known) => `${known}.xml`),
];

/** Upper case, or lower where there was nothing else; percent-encoded bytes stay. */
function swapCase(known: string): string {
  const change = (letters: (text: string) => string): string =>
    known.replace(/%[0-9a-f]{2}|[^%]+/gi, (part) => (part.startsWith('%') ? part : letters(part)));
  const upper = change((text) => text.toUpperCase());
  return upper === known ? change((text) => text.toLowerCase()) : upper;
}
