import { hostileTexts } from './hostile-values.ts';
import { below, pick, type Random } from './random-choice.ts';

/** Pieces of YAML and JSON that have a meaning of their own. */
const pieces: readonly string[] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  "'",
  '\\',
  '\n',
  '\t',
  '\r\n',
  '- ',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!js/function x',
  '!!binary "===="',
  '!!set {a, b}',
  '? ',
  '| ',
  '> ',
  '--- ',
  '...\n',
  '%YAML 9.9\n---\n',
  '# ',
  '.inf',
  '~',
  '0x1F',
  '"a": 1, "a": 2,',
  '\ufeff',
];

/** The bytes of a text with one to three changes to its characters or bytes. */
export function mutateText(text: string, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(text);
  for (let count = 1 + below(random, 3); count > 0; count -= 1) bytes = changed(bytes, random);
  return bytes;
}

function changed(bytes: Buffer, random: Random): Buffer {
  const at = below(random, bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + below(random, 200));
  const insert = (piece: Buffer | string): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at)]);
  switch (below(random, 12)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return bytes.subarray(at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    case 3:
      return insert(bytes.subarray(at, end));
    case 4:
      return insert(Buffer.from([below(random, 256)]));
    case 5:
      return insert(pick(random, hostileTexts));
    case 6: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
      return copy;
    }
    case 7:
      return insert('['.repeat(20_000));
    case 8:
      return below(random, 4) === 0 ? Buffer.from(bytes.toString('utf8'), 'utf16le') : insert('\u0000');
    case 9:
      return below(random, 4) === 0
        ? Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r'))
        : insert(`${'a: &x [*x]\n'.repeat(3)}`);
    default:
      return insert(pick(random, pieces));
  }
}
