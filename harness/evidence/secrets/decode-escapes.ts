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
