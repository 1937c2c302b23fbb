import { type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSameKey } from './accepted-calls.ts';
import { type Identity, identitiesIn, ofHolder, scope } from './identities.ts';

/** The identities of the scoped, the unscoped, again the unscoped and the scoped key, with which calls begin; empty where one was not read. */
function inTurnOf(exchanges: readonly Exchange[]): readonly Identity[] {
  const inTurn = identitiesIn(exchanges.slice(0, 4));
  return inTurn.length < 4 ? [] : inTurn;
}

/** A place at which all calls of a key show one thing, and all calls of the other key another. */
interface Telling {
  readonly pointer: string;
  readonly own: Leaf | undefined;
  readonly other: Leaf | undefined;
}

/** The places that tell a key from the other one. Others differ as well, such as a number of uses. */
function tellingPlaces(calls: readonly Identity[], of: Identity): readonly Telling[] {
  const pointers = new Set(calls.flatMap(({ leaves }) => [...leaves.keys()]));
  return [...pointers].flatMap((pointer) => {
    const shown = (isOwn: boolean): ReadonlySet<Leaf | undefined> =>
      new Set(calls.flatMap(({ key, leaves }) => ((key === of.key) === isOwn ? [leaves.get(pointer)] : [])));
    const [[own, ...more], [other, ...otherMore]] = [[...shown(true)], [...shown(false)]];
    return more.length + otherMore.length > 0 || own === other ? [] : [{ pointer, own, other }];
  });
}

/** Whose identity a call shows, in view of some calls: a whole one, as what differs by chance differs alone. */
function whoseIs(one: Identity, calls: readonly Identity[]): 'own' | 'other' | undefined {
  const others = calls.filter((other) => other !== one);
  const places = new Set(others.map(({ key }) => key)).size < 2 ? [] : tellingPlaces(others, one);
  const shows = (whose: 'own' | 'other'): boolean =>
    places.every((place) => one.leaves.get(place.pointer) === place[whose]);
  return places.length === 0 ? undefined : (['own', 'other'] as const).find(shows);
}

/** Whether both keys were shown one identity, however often each asked; undefined where one was not read. */
export function areAlike(exchanges: readonly Exchange[]): boolean | undefined {
  const inTurn = inTurnOf(exchanges);
  return inTurn[0] && tellingPlaces(inTurn, inTurn[0]).length === 0;
}

/** A call that shows a key the identity of the other one, and what only then shows it. */
export interface WrongIdentity {
  readonly exchange: Exchange;
  readonly company?: string;
}

/** The calls that show a key the identity of the other one; undefined where those in turn were not all answered. */
export function wrongIdentities(
  exchanges: readonly Exchange[],
  atOnce: readonly Exchange[],
): readonly WrongIdentity[] | undefined {
  const inTurn = inTurnOf(exchanges);
  const [first, second, ...later] = inTurn;
  if (first === undefined || second === undefined) return undefined;
  const all = identitiesIn(exchanges);
  const met = identitiesIn(atOnce);
  const swapped = [...later, ...met].filter((one) => whoseIs(one, inTurn) === 'other');
  // Fresh connections show that it is not the server behind a connection which differs.
  const isKept =
    whoseIs(second, inTurn) === 'other' &&
    met.length === atOnce.length &&
    met.some(({ key, exchange }) => key === 'scoped' && exchange.request.connection === 'fresh') &&
    met.every((one) => whoseIs(one, [first, ...later]) === 'own');
  return [
    ...[...ofHolder(all), ...swapped, ...mixedUp(all)].map(({ exchange }) =>
      // Alone, each key got its own.
      atOnce.includes(exchange) ? { exchange, company: 'with calls of both keys under way' } : { exchange },
    ),
    ...(isKept
      ? [{ exchange: second.exchange, company: 'on a connection that carried a call of the other key' }]
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

/** A call of several at the same time that shows a key what, in turn, all calls of the other one showed. */
export function mixedUpAtOnce(
  inTurn: readonly Exchange[],
  atOnce: readonly Exchange[],
): Exchange | undefined {
  const calls = identitiesIn(inTurn);
  return identitiesIn(atOnce).find((one) => whoseIs(one, calls) === 'other')?.exchange;
}

/** Two calls at one URL of which the second shows its key, as all such calls do, what the other key gets at a URL of its own. */
export function mixedUpAtOneUrl(
  exchanges: readonly Exchange[],
): readonly [first: Exchange, second: Exchange] | undefined {
  const identities = identitiesIn(exchanges);
  const firstLike = ({ exchange: { request } }: Identity): Identity | undefined =>
    identities.find(({ exchange }) => exchange.request.path === request.path);
  const [firsts, seconds] = [true, false].map((isFirst) =>
    identities.filter((one) => (firstLike(one) === one) === isFirst),
  );
  const second = seconds?.find(({ key }) =>
    seconds.every((one) => one.key !== key || whoseIs(one, firsts ?? []) === 'other'),
  );
  const first = second && firstLike(second);
  return first && [first.exchange, second.exchange];
}

/** Whether a call shows another id where all calls of its key show one. */
export function showsOtherIds(one: Exchange, calls: readonly Exchange[]): boolean {
  const isUsual = (call: Exchange): boolean => call !== one && isSameKey(call, one);
  const [asked, ...usual] = identitiesIn([one, ...calls.filter(isUsual)]);
  if (asked?.exchange !== one || usual.length < 2) return false;
  return [...asked.leaves].some(([pointer, id]) => {
    const [known, ...others] = new Set(usual.map(({ leaves }) => leaves.get(pointer)));
    return /id$/i.test(pointer) && known !== undefined && others.length === 0 && known !== id;
  });
}
