import { shapedAnswer, topLevel } from '../../harness/checks/error-shape.ts';
import { endOf, isOk, mayBeAnotherRoute, parseBody, startOf } from '../../harness/evidence/answer.ts';
import { type Leaf, leavesOf } from '../../harness/evidence/json-leaves.ts';
import { keptAt } from '../../harness/kept-at.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** The content of a response body. */
interface Contents {
  /** Members and their types, two levels deep. */
  readonly members: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
  /** The identifiers of the entries in its lists. */
  readonly ids: ReadonlySet<Leaf>;
  /** The members of the objects in its lists. */
  readonly entryNames: string;
  /** The objects in its lists, and how often each occurs. */
  readonly entries: ReadonlyMap<string, number>;
}

/** The responses of the run that say what a wrong 200 holds in place of its own result. */
export interface Others {
  readonly errors: readonly Exchange[];
  readonly results: readonly Exchange[];
}

/** A difference that one 200 may have from another 200 to the same call. */
interface Difference extends Partial<Violation> {
  readonly statement: string;
  /** The difference in a few words; undefined for none. */
  readonly shown: (one: Exchange, other: Exchange, others: Others) => string | undefined;
  /** Whether a query may lead to it as well. */
  readonly isOfAnyQuery?: true;
  readonly fix: string;
}

/** Members of an error, down to two levels, that a result does not have by chance. */
const fewest = 2;
const clause = 'spoiled';

const missingEntries =
  'Look for state that concurrent calls share, such as a query or statement that is changed for each call (GORM: a `*gorm.DB` that keeps its conditions; use `Session(&gorm.Session{})`), for a cache that is emptied before it is filled again, and for an instance or a replica without the data.';

export const differences: readonly Difference[] = [
  {
    statement: 'A 200 response carries the members of an error in addition to its own',
    shown: (one, other, { errors }) => {
      const [own, usual] = [one, other].map((each) => contentsOf(each).members);
      const error = errors
        .map((each) => [...contentsOf(each).members])
        .find((all) => all.length >= fewest && all.every(([name, type]) => own?.get(name) === type));
      // An envelope always has them.
      const names = topLevel(new Map(error));
      return error === undefined || names.some((name) => usual?.has(name)) ? undefined : names.join(', ');
    },
    fix: 'Look for state that outlives a refused call, such as a field of a serializer, the context of a connection or a global variable, and create it anew for each call.',
  },
  {
    statement: 'A 200 response holds the list of another operation',
    shown: (one, other, { results }) => {
      const [own, usual] = [contentsOf(one), contentsOf(other)];
      // Operations that list the same kind of resource may list all or some of it.
      if (own.entryNames === usual.entryNames || own.ids.size === 0 || usual.ids.size === 0) return undefined;
      if ([...usual.ids].some((id) => own.ids.has(id))) return undefined;
      const text = one.response?.body.text;
      const owner = results.find(
        (each) => each.operation !== one.operation && each.response?.body.text === text,
      );
      return owner && `the list of ${owner.operation}`;
    },
    fix: 'Add the operation to the cache key: two lists share an entry.',
  },
  {
    statement: 'A list is empty now and then',
    headline: 'A list is empty between calls that filled it',
    shown: (one, other, { results }) => {
      const isFull = (each: Exchange): boolean => contentsOf(each).entries.size > 0;
      if (!hasEmptyList(one) || isFull(one) || !isFull(other)) return undefined;
      return isBetween(one, other, results.filter(isFull))
        ? 'an empty list, which had entries before and after'
        : undefined;
    },
    fix: missingEntries,
  },
  {
    statement: 'A list lacks entries now and then',
    shown: (one, other, { results }) => {
      const [own, usual] = [one, other].map((each) => contentsOf(each).entries);
      if (own === undefined || usual === undefined || mayChoose(one) || !isPartOf(own, usual))
        return undefined;
      const isUsual = (each: Exchange): boolean => isEqualTo(contentsOf(each).entries, usual);
      return isBetween(one, other, results.filter(isUsual))
        ? `${own.size} of the ${usual.size} entries that the list had before and after`
        : undefined;
    },
    clause,
    fix: missingEntries,
  },
  {
    statement: 'A 200 response has no member of the usual result',
    shown: (one, other, { results }) => {
      const [own, usual] = [one, other].map((each) => topLevel(contentsOf(each).members));
      if (!own?.length || !usual?.length || mayChoose(one) || !areDisjoint(own, usual)) return undefined;
      const isUsual = (each: Exchange): boolean => !areDisjoint(topLevel(contentsOf(each).members), usual);
      return isBetween(one, other, results.filter(isUsual))
        ? `${own.join(', ')} alone, and with ${usual.join(', ')} before and after`
        : undefined;
    },
    fix: 'Look for code that answers in place of the operation now and then: a fallback for a time-out, a circuit breaker, an instance of another version, a cache entry of something else. Answer with the result or with an error status.',
  },
  {
    statement: 'A list shows an entry twice',
    shown: (one, other) => {
      const usual = contentsOf(other).entries;
      const twice = [...contentsOf(one).entries].find(
        ([entry, count]) => count > 1 && usual.get(entry) === 1,
      );
      return twice && `${twice[0].slice(0, longest)} twice`;
    },
    clause,
    fix: 'Look for concurrent calls that fill the same list: build a new list for each load, and replace the old one when the new one is complete.',
  },
  {
    statement: 'Letters outside ASCII are lost',
    shown: (one, other) => {
      const { texts } = contentsOf(one);
      const masked = new Set([...texts].filter(mayHaveLost).map(withoutLetters));
      const lost = [...contentsOf(other).texts].find(
        (text) => /[^\0-\x7F\uFFFD]/.test(text) && !texts.has(text) && masked.has(withoutLetters(text)),
      );
      return lost && `other characters in place of the letters of ${JSON.stringify(lost.slice(0, longest))}`;
    },
    isOfAnyQuery: true,
    clause,
    fix: 'Write JSON in UTF-8 whatever the client accepts, Accept-Charset included (Ktor follows it by default), and read texts in the character set in which they were stored.',
  },
];

/** Whether the call was answered as by others before and after. */
function isBetween(one: Exchange, other: Exchange, alike: readonly Exchange[]): boolean {
  const same = alike.filter((each) => callOf(each) === callOf(other));
  return same.some((each) => endOf(each) <= startOf(one)) && same.some((each) => endOf(one) <= endOf(each));
}

/** Whether a call has preferences by which a service may choose another representation of the result. */
export function mayChoose({ request: { headers } }: Exchange): boolean {
  return headers.some(
    ([name, value]) =>
      /^(?:accept-(?:language|charset)|cookie)$/.test(name) ||
      (name === 'accept' && !/^(?:application\/json|\*\/\*)/.test(value)),
  );
}

type Entries = Contents['entries'];

function isPartOf(some: Entries, all: Entries): boolean {
  return some.size > 0 && some.size < all.size && [...some.keys()].every((entry) => all.has(entry));
}

function isEqualTo(one: Entries, other: Entries): boolean {
  return one.size === other.size && [...one.keys()].every((entry) => other.has(entry));
}

function areDisjoint(some: readonly string[], others: readonly string[]): boolean {
  return !some.some((name) => others.includes(name));
}

function hasEmptyList(exchange: Exchange): boolean {
  const body = parseBody(exchange.response?.body);
  return [body, ...Object.values(Object(body))].some((one) => Array.isArray(one) && one.length === 0);
}

/** Characters of a text that a report quotes. */
const longest = 80;

const known = new WeakMap<Exchange, Contents>();

/** The content of a response body, read once. */
export function contentsOf(exchange: Exchange): Contents {
  return keptAt(known, exchange, () => readContents(exchange));
}

function readContents(exchange: Exchange): Contents {
  const body = parseBody(exchange.response?.body);
  const leaves = leavesOf(typeof body === 'object' ? body : undefined);
  const lists = Array.isArray(body) ? [body] : Object.values(body ?? {}).filter(Array.isArray);
  const entries = new Map<string, number>();
  const entryNames = lists.flat().flatMap((entry) => Object.keys(entry ?? {}));
  for (const entry of lists.flat())
    if (typeof entry === 'object' && entry !== null && Object.keys(entry).length > 1)
      entries.set(JSON.stringify(entry), (entries.get(JSON.stringify(entry)) ?? 0) + 1);
  return {
    members: shapedAnswer(exchange)?.members ?? new Map(),
    texts: new Set([...leaves.values()].filter((leaf) => typeof leaf === 'string')),
    ids: new Set(
      [...leaves].flatMap(([at, leaf]) => (/\/\d+\/(?:slug|handle|id|code|sku)$/i.test(at) ? [leaf] : [])),
    ),
    entryNames: [...new Set(entryNames)].sort().join(),
    entries,
  };
}

/** Whether a call read something, and found it. */
export function isRead(exchange: Exchange): boolean {
  return exchange.request.method === 'GET' && isOk(exchange) && !mayBeAnotherRoute(exchange);
}

/** What a call asks for, whatever its query says: the path, and whose key it is. */
export function callOf({ operation, request }: Exchange): string {
  return `${operation} ${request.path.replace(/\?.*$/s, '')} ${request.credential.kind}`;
}

/** Whether a call requests neither a range nor another representation. */
export function isWhole({ request: { path, headers } }: Exchange): boolean {
  return !path.includes('?') && !headers.some(([name]) => name === 'prefer' || name === 'range');
}

/** Whether a text contains replacements for letters that a character set lacks. */
export function mayHaveLost(text: string): boolean {
  return /[?\uFFFD]/.test(text);
}

/** A text in which letters outside ASCII and replacements for lost letters are equal. */
function withoutLetters(text: string): string {
  return text.replaceAll(/[^\0-\x7F]+|\?+/g, '?');
}
