import { Draw } from '../../harness/fuzzing/draw.ts';
import { isMalformed, isStructural, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import { seededRandom } from '../../harness/seeded-random.ts';

/** Octets of a value with which a request target stays below the 8,000 that RFC 9110 asks servers to support. */
const longest = 7_500;

/** Characters of the kinds that services stumble over, and plain ones, by how often one of a kind is drawn. */
const kinds: ReadonlyArray<readonly [weight: number, tokens: readonly string[]]> = [
  [8, [...'abcdefghijklmnopqrstuvwxyz0123456789-']],
  [2, [...'ABCDEFXYZ_.~']],
  [4, bytes(32, 126)],
  [1, bytes(0, 31)],
  [2, [...'äßıя中\u00a0\u200b\u200d\u202e\ufeff\u0301\u2028\uff1c'].map(encodeURIComponent)],
  [1, ['👕', '𝒜', '👩‍👧', '🏳️‍🌈'].map(encodeURIComponent)],
  [1, ['%ff', '%c0%af', '%ed%a0%80', '%f4%90%80%80', '%80']],
  [1, [..."!$&'()*+,;=:@"]],
  [1, ['%2f', '%5c', '%252e', '%2500', '..', '--', '%7f']],
];
const kindsByWeight = kinds.flatMap(([weight, tokens]) => Array.from({ length: weight }, () => tokens));

/** Lengths at which columns, buffers and names end. */
const limits = [16, 32, 36, 50, 64, 100, 128, 191, 200, 255, 256, 512, 1000, 1024, 2048];

/**
 * An endless row of path values as they go out, the same for the same seed and known value: characters of all kinds
 * mixed, lengths about the limits of columns, numbers, and the known value changed in one or two places. None of them is
 * malformed, empty, a dot segment or the known value itself.
 */
export function* randomPathValues(seed: number, known: string): Generator<string, never> {
  const draw = new Draw(seededRandom(seed, known));
  const ways = [mixed, mixed, mixed, mixed, changed, changed, changed, ofLength, ofLength, number];
  for (;;) {
    const raw = draw.of(ways)(draw, known);
    const isOtherRoute = isStructural(raw) && !/%2f|%5c/i.test(raw);
    if (raw.length <= longest && raw !== known && !isMalformed(raw) && !isOtherRoute) yield raw;
  }
}

function bytes(first: number, last: number): readonly string[] {
  const codes = Array.from({ length: last - first + 1 }, (_none, at) => first + at);
  return codes.map((code) => `%${code.toString(16).padStart(2, '0')}`);
}

function character(draw: Draw): string {
  return draw.of(draw.of(kindsByWeight));
}

function mixed(draw: Draw): string {
  return draw.list(1, 24, () => character(draw)).join('');
}

/** The known value with one or two places taken out, put in, doubled, replaced or written in the other case. */
function changed(draw: Draw, known: string): string {
  const tokens = [...tokensOf(known)];
  for (let changes = draw.whole(1, 2); changes > 0; changes -= 1) {
    const at = draw.whole(0, tokens.length - 1);
    const there = tokens[at] ?? '';
    const other = character(draw);
    const upper = there.startsWith('%') ? there : there.toUpperCase();
    tokens.splice(at, 1, ...draw.of([[], [other, there], [there, there], [other], [upper], [there, other]]));
  }
  return tokens.join('');
}

/** A length at, below or above a limit; one character in it may be another. */
function ofLength(draw: Draw): string {
  const filling = draw.of(['a', '9', '-', '%C3%A4']);
  const first = draw.of([filling, character(draw)]);
  return first + filling.repeat(draw.of(limits) + draw.whole(-1, 1) - 1);
}

function number(draw: Draw): string {
  const whole = draw.whole(-(2 ** 31), 2 ** 31);
  const digits = draw.list(16, 40, () => draw.whole(0, 9)).join('');
  const date = new Date(draw.whole(-8.64e15, 8.64e15)).toISOString();
  const real = (draw.fraction() - 0.5) * 10 ** draw.whole(-300, 300);
  return encodeURIComponent(draw.of([String(whole), digits, `-${digits}`, draw.uuid(), date, String(real)]));
}
