import fc from 'fast-check';
import { isMalformed, isStructural, tokensOf } from '../../harness/fuzzing/path-segment.ts';

/** Values drawn at once. */
const drawnAtOnce = 64;
/** Octets of a value with which a request target stays below the 8,000 that RFC 9110 asks servers to support. */
const longest = 7_500;

/**
 * An endless row of path values as they go out, the same for the same seed and known value: characters of all kinds
 * mixed, lengths about the limits of columns, numbers, and the known value changed in one or two places. None of them is
 * malformed, empty, a dot segment or the known value itself.
 */
export function* randomPathValues(seed: number, known: string): Generator<string, never> {
  const arbitrary = pathValue(known);
  for (let round = 0; ; round += 1) {
    yield* fc.sample(arbitrary, { seed: (seed + round) | 0, numRuns: drawnAtOnce });
  }
}

function pathValue(known: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.array(character(), { minLength: 1, maxLength: 24 }).map(joined) },
      { weight: 3, arbitrary: changed(tokensOf(known)) },
      { weight: 2, arbitrary: ofLength() },
      { weight: 1, arbitrary: number() },
    )
    .filter(
      (raw) =>
        raw.length <= longest &&
        raw !== known &&
        !isMalformed(raw) &&
        !(isStructural(raw) && !/%2f|%5c/i.test(raw)),
    );
}

function joined(tokens: readonly string[]): string {
  return tokens.join('');
}

function oneOf(...tokens: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...tokens);
}

function encoded(...characters: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...characters.map((one) => encodeURIComponent(one)));
}

/** One character of one of the kinds that services stumble over, or a plain one. */
function character(): fc.Arbitrary<string> {
  const ascii = Array.from({ length: 95 }, (_none, at) => String.fromCharCode(32 + at));
  return fc.oneof(
    { weight: 8, arbitrary: oneOf(...'abcdefghijklmnopqrstuvwxyz0123456789-') },
    { weight: 2, arbitrary: oneOf(...'ABCDEFXYZ_.~') },
    { weight: 4, arbitrary: oneOf(...ascii.map((one) => `%${one.charCodeAt(0).toString(16)}`)) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 0, max: 31 }).map((code) => `%${code.toString(16).padStart(2, '0')}`),
    },
    {
      weight: 2,
      arbitrary: encoded(
        'ä',
        'ß',
        'ı',
        'я',
        '中',
        '\u00a0',
        '\u200b',
        '\u200d',
        '\u202e',
        '\ufeff',
        '\u0301',
        '\u2028',
        '\uff1c',
      ),
    },
    { weight: 1, arbitrary: encoded('👕', '𝒜', '👩‍👧', '🏳️‍🌈') },
    { weight: 1, arbitrary: oneOf('%ff', '%c0%af', '%ed%a0%80', '%f4%90%80%80', '%80') },
    { weight: 1, arbitrary: oneOf(..."!$&'()*+,;=:@") },
    { weight: 1, arbitrary: oneOf('%2f', '%5c', '%252e', '%2500', '..', '--', '%7f') },
  );
}

/** The known value with one or two places taken out, put in, doubled, replaced or written in the other case. */
function changed(known: readonly string[]): fc.Arbitrary<string> {
  const place = fc.nat({ max: Math.max(0, known.length - 1) });
  const change = fc.record({
    at: place,
    how: oneOf('remove', 'insert', 'double', 'replace', 'case', 'append', 'prepend'),
    token: character(),
  });
  return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) => {
    let tokens = [...known];
    for (const { at, how, token } of changes) {
      const there = tokens[at] ?? '';
      if (how === 'append') tokens = [...tokens, token];
      else if (how === 'prepend') tokens = [token, ...tokens];
      else tokens.splice(at, how === 'insert' ? 0 : 1, ...replacement(how, there, token));
    }
    return joined(tokens);
  });
}

function replacement(how: string, there: string, token: string): readonly string[] {
  if (how === 'remove') return [];
  if (how === 'double') return [there, there];
  if (how === 'case') return [there.startsWith('%') ? there : there.toUpperCase()];
  return [token];
}

/** A length at, below or above a limit; one character in it may be another. */
function ofLength(): fc.Arbitrary<string> {
  const limit = fc.constantFrom(16, 32, 36, 50, 64, 100, 128, 191, 200, 255, 256, 512, 1000, 1024, 2048);
  return fc
    .record({
      limit,
      off: fc.integer({ min: -1, max: 1 }),
      filling: oneOf('a', '9', '-', '%C3%A4'),
      other: character(),
      isOther: fc.boolean(),
    })
    .map(
      ({ limit: length, off, filling, other, isOther }) =>
        (isOther ? other : filling) + filling.repeat(length + off - 1),
    );
}

function number(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.double().map((value) => encodeURIComponent(String(value))),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => encodeURIComponent(date.toISOString())),
  );
}
