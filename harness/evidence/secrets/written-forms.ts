import { isUtf8 } from 'node:buffer';

/** A secret as it may stand in a text whose escapes are undone, in small letters. */
export interface WrittenForm {
  readonly text: string;
  /** Characters from which on a part of it gives too much away. */
  readonly leastPart: number;
}

/** Letters of a secret that give too much away in a row, however they are written. */
const mostLetters = 12;

/** Bytes below which a secret's codings would stand in many an innocent text. */
const leastCoded = 8;

/** Between the hexadecimal digits of two bytes, and between bytes in decimal digits. */
const hexSeparators = [':', ' ', '-', ', 0x'];
const decimalSeparators = [',', ', '];

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The usual ways to write a secret: as it is, as its bytes read one by one, reversed, in hexadecimal digits and in base64, wherever in it. */
export function writtenForms(secret: string): readonly WrittenForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  // A secret may itself hold what looks like an escape.
  const plain = [secret, bytes.toString('latin1'), decodeEscapes(secret).plain];
  const coded = [bytes.toString('hex'), [...secret].reverse().join(''), ...inBase64(bytes)];
  return formsOf(secret, bytes.length < leastCoded ? plain : [...plain, ...coded]);
}

/** Rarer ways: as UTF-16, as bytes in hexadecimal or decimal digits with separators, in base32, and in base64 twice. */
export function rareForms(secret: string): readonly WrittenForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < leastCoded) return [];
  const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const whole = bytes.toString('base64');
  const inner = new Set([whole, whole.replace(/=+$/, ''), bytes.toString('base64url')]);
  return formsOf(secret, [
    [...secret].join('\u0000'),
    ...hexSeparators.map((separator) => pairs.join(separator)),
    ...decimalSeparators.map((separator) => bytes.join(separator)),
    ...inBase32(bytes),
    ...[...inner].flatMap((text) => inBase64(Buffer.from(text))),
  ]);
}

function formsOf(secret: string, texts: readonly string[]): readonly WrittenForm[] {
  const letters = lettersIn(secret);
  return texts
    .filter((text) => text !== '')
    .map((text) => ({
      text: text.toLowerCase(),
      leastPart: Math.max(mostLetters, Math.ceil((mostLetters * text.length) / letters)),
    }));
}

/** The letters of a text, which may be the bytes of others in UTF-8, as a header has them. */
function lettersIn(text: string): number {
  const bytes = Buffer.from(text, 'latin1');
  const isBytes = bytes.toString('latin1') === text && isUtf8(bytes);
  return [...(isBytes ? bytes.toString('utf8') : text)].length;
}

/** Bytes in base64 in both alphabets, by themselves or wherever among other bytes. */
function inBase64(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const standard = [whole, ...[0, 1, 2].map((before) => withinBase64(bytes, before))];
  return [
    ...new Set([...standard, ...standard.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]),
  ];
}

/** The characters of base64 that depend on these bytes alone, where `before` and any triples of bytes precede them. */
function withinBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const determined = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(before === 0 ? 0 : before + 1, determined);
}

/** The characters of base32 that depend on these bytes alone, at each place in a group of five bytes. */
function inBase32(bytes: Buffer): readonly string[] {
  const bits = BigInt(`0x${bytes.toString('hex')}`);
  return [0, 1, 2, 3, 4].map((before) => {
    const first = Math.ceil((before * 8) / 5);
    const last = Math.floor(((before + bytes.length) * 8) / 5);
    let text = '';
    for (let at = first; at < last; at += 1) {
      const shift = BigInt((before + bytes.length) * 8 - (at + 1) * 5);
      text += base32[Number((bits >> shift) & 31n)];
    }
    return text;
  });
}

/** Escapes of URLs, JSON and HTML. */
const escapes =
  /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[/"\\]|&#(?:[0-9]{1,7}|x[0-9a-f]{1,6});|&(?:amp|lt|gt|quot);/gi;

const named: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** A text without its escapes, and where in the text a place of it stands. */
interface DecodedText {
  readonly plain: string;
  readonly sourceOf: (index: number) => number;
}

/** How often escapes are undone that stand in one another. */
const mostRounds = 3;

/** Undoes the escapes of URLs, JSON and HTML, whichever occur, up to three times; for looking into a text, not for reading it. */
export function decodeEscapes(text: string): DecodedText {
  let decoded: DecodedText = { plain: text, sourceOf: (index) => index };
  for (let round = 0; round < mostRounds && /[%\\&]/.test(decoded.plain); round += 1) {
    const { plain, sourceOf } = decoded;
    const again = decodeOnce(plain);
    decoded = { plain: again.plain, sourceOf: (index) => sourceOf(again.sourceOf(index)) };
  }
  return decoded;
}

function decodeOnce(text: string): DecodedText {
  let plain = '';
  let done = 0;
  /** Where escapes end, in the plain text and in the source. */
  const ends = [{ plain: 0, source: 0 }];
  for (const { 0: written, index } of text.matchAll(escapes)) {
    plain += text.slice(done, index) + characterOf(written);
    done = index + written.length;
    ends.push({ plain: plain.length, source: done });
  }
  return {
    plain: plain + text.slice(done),
    sourceOf: (index) => {
      const last = ends.findLast((end) => end.plain <= index) ?? { plain: 0, source: 0 };
      return last.source + index - last.plain;
    },
  };
}

function characterOf(written: string): string {
  const [, hex] = /^(?:%|\\[ux]|&#x)([0-9a-f]+);?$/i.exec(written) ?? [];
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16) & 0xffff);
  if (written.startsWith('\\')) return written.slice(1);
  if (!written.startsWith('&#')) return named[written.toLowerCase()] ?? written;
  return String.fromCharCode(Number.parseInt(written.slice(2), 10) & 0xffff);
}
