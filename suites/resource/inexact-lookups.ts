import { defined } from '../../harness/defined.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { mixedUpLookups } from '../../harness/results/causes/cause-fixes.ts';
import { ownResult } from '../surface/crowd.ts';
import { longId } from './near-misses.ts';
import { sentValue } from './shows-known.ts';

/** A way in which a look-up mistakes a wrong value for the known one. */
interface InexactLookup {
  /** Whether it mistakes a value for the known one. */
  readonly takes: (value: string, known: string) => boolean;
  readonly fix: string;
}

/** The most special first. */
const lookups: readonly InexactLookup[] = [
  {
    takes: (value, known) => value.includes(';') && known.startsWith(value.split(';', 1)[0] ?? ''),
    fix: 'Look up the whole value: the service drops everything after an encoded semicolon. If a proxy in front decodes it, let the proxy pass on the original path (Apache: `ProxyPass … nocanon`).',
  },
  {
    takes: (value, known) => /[_%*?.]/.test(value) && isMatchedBy(known, value),
    fix: 'Compare the value as text, not as a pattern: use = instead of LIKE or a regular expression, or escape _ % *.',
  },
  {
    takes: (value, known) => /^\d+$/.test(known) && /^\d+/.exec(value)?.[0] === known,
    fix: 'Read a number only if the whole value is one: casts such as (int), parseInt, or SQL’s comparison of a text with a number ignore everything after the digits.',
  },
  {
    takes: (value, known) => value !== '' && (value.startsWith(known) || known.startsWith(value)),
    fix: 'Compare the whole value, not its beginning: no lookup by prefix, no column or cache key that truncates it.',
  },
  {
    takes: (value, known) => withoutAccents(value) === withoutAccents(known),
    fix: 'Tell accented letters apart: by the collation (MySQL: utf8mb4_0900_as_cs; MariaDB: uca1400_as_cs; both: utf8mb4_bin; PostgreSQL: no nondeterministic one such as `und-u-ks-level1`), and in each key of a cache or a lookup (Rails: no `parameterize` or `transliterate`).',
  },
  {
    takes: (value, known) =>
      known.length >= longId &&
      value.length === known.length &&
      [...value].filter((one, at) => one !== known[at]).length === 1,
    fix: 'Keep and compare ids as whole texts: a number such as a double, a hash or a short column holds only a part of them.',
  },
];

/** Wrong values that one finding lists. */
const mostListed = 5;

/**
 * The fix of the kind of look-up that explains all wrong values that were mistaken for the known one, or else of the most
 * special of those that explain each of them.
 */
export function fixOfLookup(values: readonly string[], known: string): string | undefined {
  const ofEach = values.map((value) => lookups.filter(({ takes }) => takes(value, known)));
  if (ofEach.some(({ length }) => length === 0)) return undefined;
  const ofAll = lookups.find((one) => ofEach.every((some) => some.includes(one)));
  return (ofAll ?? lookups.find((one) => ofEach.flat().includes(one)))?.fix;
}

/** The texts of a finding about a wrong value that no look-up takes for the known one, and that is not found when it comes alone. */
const mixedUp = {
  headline: 'Among other calls, a wrong value gets the resource of the known one',
  fix: `${ownResult} Such a value is answered 404 at other times.`,
  deviation: mixedUpLookups,
};

/**
 * One violation for all wrong values of a parameter that were mistaken for the known one; `missed` are calls that did not
 * find theirs.
 */
export function takenForKnown(
  name: string,
  known: Exchange,
  [exchange, ...relatedExchanges]: readonly Exchange[],
  missed: readonly Exchange[] = [],
): readonly Violation[] {
  if (exchange === undefined) return [];
  const right = sentValue(known, name) ?? '';
  const values = [exchange, ...relatedExchanges].map((one) => sentValue(one, name) ?? '');
  const fix = fixOfLookup(values, right);
  const isInCrowd = [exchange, ...relatedExchanges].every(({ step }) => step === 'unknownInCrowd');
  const isMissed = isInCrowd || missed.some((one) => values.includes(sentValue(one, name) ?? ''));
  return [
    {
      statement: `A wrong ${name} was answered with the resource of the known one`,
      expected: '404',
      actual: describeAnswer(exchange),
      ...(fix === undefined && isMissed ? mixedUp : defined({ fix })),
      detail: `such as ${values.slice(0, mostListed).join(', ')} for ${right}`,
      exchange,
      relatedExchanges,
    },
  ];
}

/** Maximum wildcards in an evaluated pattern. */
const mostWildcards = 3;

/** Whether a value matches a pattern in which _ ? and . stand for one character, and % and * for any number of them. */
function isMatchedBy(value: string, pattern: string): boolean {
  const parts = pattern.split(/([_?.%*])/);
  if (parts.length > 2 * mostWildcards + 1) return false;
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return part.replaceAll(/[\\^$+{}()|[\]/]/g, '\\$&');
    return /[%*]/.test(part) ? '.*' : '.';
  });
  return new RegExp(`^${source.join('')}$`, 'i').test(value);
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
