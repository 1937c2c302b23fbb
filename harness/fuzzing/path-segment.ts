/** One character as it stands in a path: itself, percent-encoded UTF-8, or an encoded byte that is none. */
export type SegmentToken = string;

const encodedRun = /(?:%[0-9a-f]{2})+/gi;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** The characters of a path segment as they go out, each whole: cutting between them leaves the rest as it was. */
export function tokensOf(raw: string): readonly SegmentToken[] {
  // Those that are captured stand at the odd places.
  const parts = raw.split(new RegExp(`(${encodedRun.source})`, 'i'));
  return parts.flatMap((part, at) => (at % 2 === 0 ? [...part] : encodedCharacters(part)));
}

/** Splits encoded bytes by the lengths that their first bytes announce; what is not UTF-8 stands byte by byte. */
function encodedCharacters(run: string): readonly SegmentToken[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const tokens: SegmentToken[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const announced = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    const length = isUtf8(bytes.subarray(at, at + announced)) ? announced : 1;
    tokens.push(run.slice(at * 3, (at + length) * 3));
    at += length;
  }
  return tokens;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return strictUtf8.decode(bytes) !== '';
  } catch {
    return false;
  }
}

/** The segment decoded once; bytes that are not UTF-8 become U+FFFD, and what is no percent-encoding stays. */
export function decodedSegment(raw: string): string {
  return raw.replace(encodedRun, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** Whether proxies and frameworks may read the value as more than one segment, or as fewer, and so reach another route. */
export function isStructural(raw: string): boolean {
  return /[/\\]|%2f|%5c/i.test(raw) || /^\.{1,2}$/.test(decodedSegment(raw)) || raw.trim() === '';
}

/** Whether it holds characters that no URI may hold, so that the request is not one of HTTP (RFC 9112, section 3.2). */
export function isNotEncoded(raw: string): boolean {
  return /["<>\\^`{|}\s]/.test(raw);
}

/** Whether it is no path segment by the grammar of RFC 3986: a server may refuse it before it knows of any operation. */
export function isMalformed(raw: string): boolean {
  return raw === '' || isNotEncoded(raw) || /%(?![0-9a-f]{2})/i.test(raw);
}

/**
 * Whether a forgiving service may take the value for the known one: by dropping or folding its unusual characters, or by
 * reading no more than a part, be it a prefix or what follows the last colon. A third of the letters and digits in a row
 * is left of whatever was changed in two places.
 */
export function mayBeReadAs(raw: string, known: string): boolean {
  const text = lettersAndDigits(raw);
  const wanted = lettersAndDigits(known);
  const part = Math.ceil(wanted.length / 3);
  const starts = Array.from({ length: wanted.length - part + 1 }, (_none, start) => start);
  return isStructural(raw) || starts.some((start) => text.includes(wanted.slice(start, start + part)));
}

/** Of a segment, without marks, width and case. */
function lettersAndDigits(raw: string): string {
  return decodedSegment(raw)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** The value for people to read: what cannot be seen is escaped, what is long is cut. */
export function showSegment(raw: string): string {
  const tokens = tokensOf(raw);
  const [first = ''] = tokens;
  const length = `${tokens.length} character${tokens.length === 1 ? '' : 's'}`;
  if (tokens.length > 4 && tokens.every((token) => token === first)) {
    return `${tokens.length} times ${showToken(first)}`;
  }
  const shown = tokens.slice(0, 40).map(showToken).join('');
  return `${shown}${tokens.length > 40 ? '…' : ''} (${length})`;
}

function showToken(token: SegmentToken): string {
  const character = decodedSegment(token);
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) && character !== '\uFFFD' ? character : token;
}

/** A value as a path segment with its first letter or digit percent-encoded, which means the same. */
export function withOneEncoded(value: string): string {
  const encode = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(value).replace(/(?<!%|%.)[A-Za-z0-9]/, encode);
}
