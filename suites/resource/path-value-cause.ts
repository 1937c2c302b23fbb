import { decodedSegment, type SegmentToken, tokensOf } from '../../harness/fuzzing/path-segment.ts';

/** The longest that columns, buffers and names are, in characters. */
const limits = [63, 64, 100, 127, 128, 255, 256, 511, 512, 1000, 1023, 1024, 2047, 2048, 4095];
/** Characters up to which a value made of nothing special is a word to be named. */
const longestWord = 24;

/** Kinds of characters, each with the words in which a report names it; the first that fits counts. */
const kinds: ReadonlyArray<
  readonly [name: string, isOne: (character: string, token: SegmentToken) => boolean]
> = [
  ['bytes that are not UTF-8', (character) => character.includes('\uFFFD')],
  ['NUL', (character) => character === '\0'],
  ['a line break', (character) => /[\r\n\u0085\u2028\u2029]/.test(character)],
  ['white space', (character) => /\s/.test(character)],
  ['a control character', (character) => /\p{Cc}/u.test(character)],
  ['an invisible character', (character) => /\p{Cf}/u.test(character)],
  ['a combining mark', (character) => /\p{M}/u.test(character)],
  ['a character beyond the basic plane', (character) => (character.codePointAt(0) ?? 0) > 0xffff],
  ['a character outside ASCII', (character) => (character.codePointAt(0) ?? 0) > 0x7f],
  ['a quote', (character) => /["'`]/.test(character)],
  ['a slash', (character) => character === '/'],
  ['a backslash', (character) => character === '\\'],
  ['a percent sign', (character, token) => character === '%' || token === '%'],
  ['an angle bracket', (character) => /[<>]/.test(character)],
  ['a bracket or brace', (character) => /[()[\]{}]/.test(character)],
  ['a separator', (character) => /[;:,&=?#@|]/.test(character)],
  ['a metacharacter', (character) => /[*+$^!~]/.test(character)],
];

/** What about a value that was made as small as can be is at fault, in words that are the same at every seed. */
export function causeOf(raw: string): string {
  const tokens = tokensOf(raw);
  const kindsOfTokens = new Set(tokens.flatMap((token) => kindOf(token) ?? []));
  const named = kinds.map(([name]) => name).filter((name) => kindsOfTokens.has(name));
  if (named.length > 0) return named.join(' and ');
  if (tokens.length <= longestWord) return `the value ${raw === '' ? 'of no characters' : raw}`;
  const limit = limits.findLast((one) => tokens.length > one);
  return limit === undefined ? 'its length' : `a length of more than ${limit} characters`;
}

/** The kind of a character; undefined for one that is not special. */
export function kindOf(token: SegmentToken): string | undefined {
  return kinds.find(([, isOne]) => isOne(decodedSegment(token), token))?.[0];
}

/** Whether a value fails for a cause that is known already: it holds all that is special of the smallest, or is as long. */
export function isExplainedBy(raw: string, smallest: string): boolean {
  const special = tokensOf(smallest).filter((token) => token !== plainToken);
  const tokens = tokensOf(raw);
  if (special.length === 0) return tokens.length >= tokensOf(smallest).length;
  const left = [...tokens];
  return special.every((token) => {
    const at = left.indexOf(token);
    if (at >= 0) left.splice(0, at + 1);
    return at >= 0;
  });
}

/** What every character becomes that is not at fault. */
export const plainToken: SegmentToken = 'a';
