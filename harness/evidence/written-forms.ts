import { decodeEscapes } from './decode-escapes.ts';

/** A secret as it may stand in a text whose escapes are undone, in small letters. */
export interface WrittenForm {
  readonly text: string;
  /** Characters from which on a part of it gives too much away: those of twelve characters of the secret. */
  readonly leastPart: number;
}

/** Bytes below which a secret's codings would stand in many an innocent text. */
const leastCoded = 8;

/** The ways to write a secret: as it is, as its bytes read one by one, in hexadecimal digits, reversed and in base64, wherever in it. */
export function writtenForms(secret: string): readonly WrittenForm[] {
  const bytes = Buffer.from(secret, 'utf8');
  // A secret may itself hold what looks like an escape.
  const plain = [secret, bytes.toString('latin1'), decodeEscapes(secret).plain];
  const forms = plain.map((text) => ({ text, leastPart: 12 }));
  if (bytes.length >= leastCoded) {
    forms.push({ text: bytes.toString('hex'), leastPart: 24 });
    forms.push({ text: [...secret].reverse().join(''), leastPart: 12 });
    for (const text of [
      bytes.toString('base64'),
      ...[0, 1, 2].map((before) => withinBase64(bytes, before)),
    ]) {
      const unpadded = text.replace(/=+$/, '');
      forms.push({ text: unpadded, leastPart: 16 });
      forms.push({ text: unpadded.replaceAll('+', '-').replaceAll('/', '_'), leastPart: 16 });
    }
  }
  return forms
    .filter(({ text }) => text !== '')
    .map(({ text, leastPart }) => ({ text: text.toLowerCase(), leastPart }));
}

/** The characters of base64 that depend on these bytes alone, where `before` and any triples of bytes precede them. */
function withinBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const determined = Math.floor(((before + bytes.length) * 8) / 6);
  return text.slice(before === 0 ? 0 : before + 1, determined);
}
