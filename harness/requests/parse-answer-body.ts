import { parseJson } from '../evidence/parse-json.ts';

/** Bytes beyond which a body is not parsed for values in it: no target issues an id in a flood. */
export const mostParsedBytes: number = 1024 * 1024;
/** Levels beyond which a body is not parsed. */
const mostLevels = 1_000;

/** A JSON body for taking values out of it; undefined where it is not JSON, too large or too deep. */
export function parseAnswerBody(bytes: Buffer): unknown {
  if (bytes.length > mostParsedBytes || nestsDeeper(bytes, mostLevels)) return undefined;
  try {
    const text = bytes.toString('utf8');
    if (!/\d{16}/.test(text)) return parseJson(text);
    // A number beyond 2^53 would lose digits; as text it keeps them.
    return parseJson(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"'));
  } catch {
    return undefined;
  }
}

/** Counts brackets inside strings as well, which is good enough to avoid parsing a body of mere brackets. */
function nestsDeeper(bytes: Buffer, levels: number): boolean {
  if (bytes.length < 2 * levels) return false;
  let depth = 0;
  for (const byte of bytes) {
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
