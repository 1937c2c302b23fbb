import { type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { differences, type Identity, identitiesIn, ofHolder, sameBut, scope } from './identities.ts';

/** The identities of the scoped, the unscoped, again the unscoped and the scoped key, one after the other. */
type InTurn = readonly [a: Identity, b: Identity, c: Identity, d: Identity];

/** The identities in turn, with which calls begin; undefined where not all were read. */
function inTurnOf(exchanges: readonly Exchange[]): InTurn | undefined {
  const [a, b, c, d] = identitiesIn(exchanges.slice(0, 4));
  return a && b && c && d && [a, b, c, d];
}

/**
 * Where the identities of the keys differ, however often each asks; undefined where one was not read. Only this tells that
 * there are two: a number of uses differs, too.
 */
export function steadyDifferences(exchanges: readonly Exchange[]): readonly string[] | undefined {
  const inTurn = inTurnOf(exchanges);
  if (inTurn === undefined) return undefined;
  const [a, b, c, d] = inTurn.map(({ leaves }) => leaves);
  return differences(inTurn[0], inTurn[1]).filter(
    (pointer) => a?.get(pointer) === d?.get(pointer) && b?.get(pointer) === c?.get(pointer),
  );
}

/** A call that shows a key the identity of the other one, and what only then shows it. */
export interface WrongIdentity {
  readonly exchange: Exchange;
  readonly company?: string;
}

/**
 * The calls that show a key the identity of the other one: of those in turn, of some at the same time, and of others.
 * Undefined where those in turn were not all answered.
 */
export function wrongIdentities(
  exchanges: readonly Exchange[],
  atOnce: readonly Exchange[],
): readonly WrongIdentity[] | undefined {
  const inTurn = inTurnOf(exchanges);
  if (inTurn === undefined) return undefined;
  const [a, b, c, d] = inTurn;
  // What differs between two reads of each key, such as a number of uses, says nothing of whose identity it is.
  const isSame = sameBut(differences(b, c).filter((pointer) => differences(a, d).includes(pointer)));
  const all = identitiesIn(exchanges);
  const met = identitiesIn(atOnce);
  const isShared = isSame(a, b);
  const swapped = [
    ...(isSame(c, a) ? [c] : []),
    ...(isSame(c, b) && isSame(d, b) ? [d] : []),
    ...met.filter((one) => isSame(one, one.key === 'scoped' ? b : a)),
  ];
  // Fresh connections show that it is not the server behind a connection which differs.
  const isKept =
    isShared &&
    !isSame(b, c) &&
    isSame(d, a) &&
    met.length === atOnce.length &&
    met.some(({ key, exchange }) => key === 'scoped' && exchange.request.connection === 'fresh') &&
    met.every((one) => isSame(one, one.key === 'scoped' ? a : c));
  const wrong = [...ofHolder(all, isSame), ...(isShared ? [] : swapped), ...mixedUp(all)];
  return [
    ...wrong.map(({ exchange }) =>
      // Alone, each key got its own.
      atOnce.includes(exchange) ? { exchange, company: 'with calls of both keys under way' } : { exchange },
    ),
    ...(isKept
      ? [{ exchange: b.exchange, company: 'on a connection that carried a call of the other key' }]
      : []),
  ];
}

/**
 * Identities that name the scope where others of the same key do not, or the other way round, and have a text in common
 * with one of the other key: calls of other cases can mix up those that show which identity is whose.
 */
function mixedUp(all: readonly Identity[]): readonly Identity[] {
  const isNaming = (leaf: Leaf): boolean => String(leaf).includes(scope);
  const naming = new Set(
    all.flatMap(({ leaves }) => [...leaves].flatMap(([pointer, leaf]) => (isNaming(leaf) ? [pointer] : []))),
  );
  const isOwn = ({ key, leaves }: Identity): boolean => mentions(leaves, scope) === (key === 'scoped');
  return all.filter((one) => {
    const own = all.filter((other) => other.key === one.key && isOwn(other));
    if (isOwn(one) || own.length === 0) return false;
    return [...one.leaves].some(
      ([pointer, leaf]) =>
        typeof leaf === 'string' &&
        !naming.has(pointer) &&
        all.some((other) => other.key !== one.key && other.leaves.get(pointer) === leaf) &&
        own.every((other) => other.leaves.get(pointer) !== leaf),
    );
  });
}

/**
 * Two calls at one URL of which the second shows a key all values of the other key, which called first. The values are those
 * by which the keys differ: each key got its own at every URL that it asked first.
 */
export function mixedUpAtOneUrl(
  exchanges: readonly Exchange[],
): readonly [first: Exchange, second: Exchange] | undefined {
  const identities = identitiesIn(exchanges);
  const pathOf = ({ exchange }: Identity): string => exchange.request.path;
  const isFirst = (one: Identity, at: number): boolean =>
    identities.findIndex((other) => pathOf(other) === pathOf(one)) === at;
  const firsts = identities.filter(isFirst);
  const seconds = identities.filter((one, at) => !isFirst(one, at));
  const pointers = [...new Set(firsts.flatMap(({ leaves }) => [...leaves.keys()]))];
  for (const second of seconds) {
    /** The value that calls of this key, or of the other one, all show. */
    const steady = (those: readonly Identity[], isOwn: boolean, pointer: string): Leaf | undefined => {
      const shown = those.filter(({ key }) => (key === second.key) === isOwn);
      const values = new Set(shown.map(({ leaves }) => leaves.get(pointer)));
      return values.size === 1 ? [...values][0] : undefined;
    };
    // A cached response is a whole one: what differs by chance, such as a member that comes and goes, differs alone.
    const differing = pointers.flatMap((pointer) => {
      const [own, foreign] = [steady(firsts, true, pointer), steady(firsts, false, pointer)];
      return own === undefined || foreign === undefined || own === foreign
        ? []
        : [steady(seconds, true, pointer) === foreign];
    });
    const first = firsts.find((one) => pathOf(one) === pathOf(second));
    if (first !== undefined && differing.length > 0 && differing.every(Boolean))
      return [first.exchange, second.exchange];
  }
  return undefined;
}
