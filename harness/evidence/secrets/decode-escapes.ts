/** Escapes of JSON and HTML; those of URLs, by far the most, are read without a pattern. */
const otherEscapes =
  /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[/"\\]|&#(?:[0-9]{1,7}|x[0-9a-f]{1,6});|&(?:amp|lt|gt|quot);/iy;

const named: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** A text without its escapes, and where in the text a place of it stands. */
export interface DecodedText {
  readonly plain: string;
  readonly sourceOf: (index: number) => number;
}

/** How often escapes are undone that stand in one another. */
const mostRounds = 3;

/** Undoes the escapes of URLs, JSON and HTML, whichever occur, up to three times; for looking into a text, not for reading it. */
export function decodeEscapes(text: string): DecodedText {
  let decoded = decodeOnce(text);
  for (let round = 1; round < mostRounds; round += 1) {
    const { plain, sourceOf } = decoded;
    const again = decodeOnce(plain);
    if (again.plain === plain) break;
    decoded = { plain: again.plain, sourceOf: (index) => sourceOf(again.sourceOf(index)) };
  }
  return decoded;
}

const sign = /[%\\&]/g;

function decodeOnce(text: string): DecodedText {
  if (text.search(sign) < 0) return { plain: text, sourceOf: (index) => index };
  let plain = '';
  let done = 0;
  /** Ends of escapes: places in the plain text, and in the source. */
  const ends: number[] = [0];
  const sources: number[] = [0];
  const undo = (at: number, length: number, character: string): void => {
    plain += text.slice(done, at) + character;
    done = at + length;
    ends.push(plain.length);
    sources.push(done);
  };
  sign.lastIndex = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    const at = found.index;
    if (found[0] === '%') {
      const code = hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2));
      if (!Number.isNaN(code)) undo(at, 3, String.fromCharCode(code));
    } else {
      otherEscapes.lastIndex = at;
      const written = otherEscapes.exec(text)?.[0];
      if (written !== undefined) undo(at, written.length, characterOf(written));
    }
    sign.lastIndex = Math.max(at + 1, done);
  }
  plain += text.slice(done);
  return {
    plain,
    sourceOf: (index) => {
      const at = lastAtMost(ends, index);
      return (sources[at] ?? 0) + index - (ends[at] ?? 0);
    },
  };
}

/** The value of a hexadecimal digit, given by its character code; NaN for everything else. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : Number.NaN;
}

function characterOf(written: string): string {
  if (/^\\[ux]/i.test(written)) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  if (written.startsWith('\\')) return written.slice(1);
  if (!written.startsWith('&#')) return named[written.toLowerCase()] ?? written;
  const digits = written.slice(2, -1);
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return String.fromCharCode(code & 0xffff);
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
