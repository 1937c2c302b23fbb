import { type Leaf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { isSameKey } from './accepted-calls.ts';
import { type Identity, identitiesIn, ofHolder, scope } from './identities.ts';

/** The first four identities, of the scoped, unscoped, unscoped and scoped key; empty if one was not read. */
function inTurnOf(exchanges: readonly Exchange[]): readonly Identity[] {
  const inTurn = identitiesIn(exchanges.slice(0, 4));
  return inTurn.length < 4 ? [] : inTurn;
}

/**
 * The places that distinguish the keys: with one value in all responses to a key, and a different one in all responses to
 * the other key. Other places may differ too, such as a number of uses.
 */
function tellingPlaces(calls: readonly Identity[], of: Identity) {
  const pointers = new Set(calls.flatMap(({ leaves }) => [...leaves.keys()]));
  return [...pointers].flatMap((pointer) => {
    const shown = (isOwn: boolean): ReadonlySet<Leaf | undefined> =>
      new Set(calls.flatMap(({ key, leaves }) => ((key === of.key) === isOwn ? [leaves.get(pointer)] : [])));
    const [[own, ...more], [other, ...otherMore]] = [[...shown(true)], [...shown(false)]];
    return more.length + otherMore.length > 0 || own === other ? [] : [{ pointer, own, other }];
  });
}

/** Whose identity a call shows, compared with some calls: all places must match, because chance changes single ones. */
function whoseIs(one: Identity, calls: readonly Identity[]): 'own' | 'other' | undefined {
  const others = calls.filter((other) => other !== one);
  const places = new Set(others.map(({ key }) => key)).size < 2 ? [] : tellingPlaces(others, one);
  const shows = (whose: 'own' | 'other'): boolean =>
    places.every((place) => one.leaves.get(place.pointer) === place[whose]);
  return places.length === 0 ? undefined : (['own', 'other'] as const).find(shows);
}

/** Whether both keys always got the same identity; undefined if one was not read. */
export function areAlike(exchanges: readonly Exchange[]): boolean | undefined {
  const inTurn = inTurnOf(exchanges);
  return inTurn[0] && tellingPlaces(inTurn, inTurn[0]).length === 0;
}

/**
 * The calls that show a key the identity of the other one, with the circumstance that leads to it; undefined if not all
 * consecutive calls were answered.
 */
export function wrongIdentities(
  exchanges: readonly Exchange[],
  atOnce: readonly Exchange[],
  besideOther: readonly Exchange[],
): ReadonlyArray<Pick<Violation, 'exchange' | 'company'>> | undefined {
  const inTurn = inTurnOf(exchanges);
  const [first, second, ...later] = inTurn;
  if (first === undefined || second === undefined) return undefined;
  const all = identitiesIn(exchanges);
  const met = identitiesIn(atOnce);
  const swapped = [...later, ...met, ...identitiesIn(besideOther)].filter(
    (one) => whoseIs(one, inTurn) === 'other',
  );
  // Fresh connections rule out that the server behind a connection makes the difference.
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

/** A concurrent call that shows a key what all consecutive calls of the other key showed. */
export function mixedUpAtOnce(
  inTurn: readonly Exchange[],
  atOnce: readonly Exchange[],
): Exchange | undefined {
  const calls = identitiesIn(inTurn);
  return identitiesIn(atOnce).find((one) => whoseIs(one, calls) === 'other')?.exchange;
}

/** Two calls at one URL, the second of which shows its key, as all such calls do, what the other key gets at a separate URL. */
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

/** Whether a call shows another id at a place where all calls of its key show the same id. */
export function showsOtherIds(one: Exchange, calls: readonly Exchange[]): boolean {
  const isUsual = (call: Exchange): boolean => call !== one && isSameKey(call, one);
  const [asked, ...usual] = identitiesIn([one, ...calls.filter(isUsual)]);
  if (asked?.exchange !== one || usual.length < 2) return false;
  return [...asked.leaves].some(([pointer, id]) => {
    const [known, ...others] = new Set(usual.map(({ leaves }) => leaves.get(pointer)));
    return /id$/i.test(pointer) && known !== undefined && others.length === 0 && known !== id;
  });
}

/** A query that names the ids of the other key where there are such, and an id that the first row of many tables has. */
export function queryOfOthers(exchanges: readonly Exchange[], credential: Credential): string {
  const calls = identitiesIn(exchanges);
  const own = calls.find(({ key }) => key === credential.kind);
  const ids = new Map(idNames.map((name) => [name, '1']));
  for (const { pointer, other } of own === undefined ? [] : tellingPlaces(calls, own)) {
    const [, name] = /\/(\w*id)$/i.exec(pointer) ?? [];
    if (name !== undefined && other !== undefined) ids.set(name, String(other));
  }
  return new URLSearchParams([...ids]).toString();
}

/** The names that identities have for ids. */
const idNames = ['id', 'installationId', 'installation_id', 'keyId', 'key_id', 'clientId', 'client_id'];
