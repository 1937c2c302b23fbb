import { type Leaf, type Leaves, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { differences, holdsScope, identityIn, scope } from './identities.ts';

/** The calls of two keys for their identities, by step. */
type IdentityCalls = Readonly<
  Record<
    'scopedAtOnce' | 'scopedAfresh' | 'scopedLater' | 'unscopedAtOnce' | 'unscopedAfresh' | 'unscopedLater',
    readonly Exchange[]
  >
>;

/** Identities of the scoped, the unscoped, again the unscoped and the scoped key, one after the other. */
type IdentitiesInTurn = ReadonlyArray<Exchange | undefined>;

/** The exchanges that show a key the identity of the other one; undefined where the identities in turn were not all read. */
export function wrongIdentities(
  inTurn: IdentitiesInTurn,
  steps: IdentityCalls,
): ReadonlyArray<Pick<Violation, 'exchange' | 'company'>> | undefined {
  const [scoped, unscoped, unscopedAgain, scopedAgain] = inTurn;
  const [a, b, c, d] = inTurn.map(identityIn);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  // What differs between two reads of each key, such as a number of uses, says nothing of whose identity it is.
  const volatile = new Set(differences(b, c).filter((pointer) => differences(a, d).includes(pointer)));
  const isSame = (one: Leaves, other: Leaves): boolean =>
    differences(one, other).every((pointer) => volatile.has(pointer));
  const { scopedAtOnce, scopedAfresh, scopedLater, unscopedAtOnce, unscopedAfresh, unscopedLater } = steps;
  const areAll = (exchanges: readonly Exchange[], own: Leaves): boolean =>
    identitiesIn(exchanges).length === exchanges.length &&
    identitiesIn(exchanges).every(({ leaves }) => isSame(leaves, own));
  const areOf = (exchanges: readonly Exchange[], other: Leaves): readonly Exchange[] =>
    isSame(a, b)
      ? []
      : identitiesIn(exchanges).flatMap(({ exchange, leaves }) => (isSame(leaves, other) ? [exchange] : []));
  // Fresh connections show that it is not the server behind a connection which differs.
  const isKept =
    isSame(a, b) &&
    !isSame(b, c) &&
    isSame(d, a) &&
    scopedAtOnce.some(({ request }) => request.connection === 'fresh') &&
    areAll(scopedAtOnce, a) &&
    areAll(unscopedAtOnce, c);
  const ofScoped = identitiesIn([scoped, ...scopedAtOnce, scopedAgain, ...scopedAfresh, ...scopedLater]);
  const ofUnscoped = identitiesIn([
    ...[unscoped, unscopedAgain, ...unscopedAtOnce],
    ...[...unscopedAfresh, ...unscopedLater],
  ]);
  const ofHolder = ofUnscoped.filter(
    ({ leaves }) => holdsScope(leaves) && ofScoped.some((one) => isSame(one.leaves, leaves)),
  );
  const wrong = [
    ...ofHolder.map(({ exchange }) => exchange),
    ...(!isSame(a, b) && isSame(c, a) ? [unscopedAgain] : []),
    ...(!isSame(a, b) && isSame(c, b) && isSame(d, b) ? [scopedAgain] : []),
    ...areOf(scopedAtOnce, b),
    ...areOf(unscopedAtOnce, a),
    ...mixedUp(ofScoped, ofUnscoped),
    ...(isKept ? [unscoped] : []),
  ];
  return wrong.flatMap((exchange) => {
    if (exchange === undefined) return [];
    if (isKept && exchange === unscoped)
      return { exchange, company: 'on a connection that carried a call of the other key' };
    // Alone, each key got its own.
    const isAtOnce = [...scopedAtOnce, ...unscopedAtOnce].includes(exchange);
    return isAtOnce ? { exchange, company: 'with calls of both keys under way' } : { exchange };
  });
}

/**
 * Identities that name the scope where others of the same key do not, or the other way round, and have a text in common
 * with one of the other key: calls of other cases can mix up those that show which identity is whose.
 */
function mixedUp(ofScoped: readonly Identity[], ofUnscoped: readonly Identity[]): readonly Exchange[] {
  return [...strangersAmong(ofUnscoped, ofScoped, false), ...strangersAmong(ofScoped, ofUnscoped, true)];
}

function strangersAmong(
  shown: readonly Identity[],
  others: readonly Identity[],
  isHolder: boolean,
): readonly Exchange[] {
  const isNaming = (leaf: Leaf): boolean => String(leaf).includes(scope);
  const naming = new Set(
    [...shown, ...others].flatMap(({ leaves }) =>
      [...leaves].flatMap(([pointer, leaf]) => (isNaming(leaf) ? [pointer] : [])),
    ),
  );
  const own = shown.filter(({ leaves }) => mentions(leaves, scope) === isHolder);
  if (own.length === 0) return [];
  return shown
    .filter(({ leaves }) => mentions(leaves, scope) !== isHolder)
    .filter(({ leaves }) =>
      [...leaves].some(
        ([pointer, leaf]) =>
          typeof leaf === 'string' &&
          !naming.has(pointer) &&
          others.some((other) => other.leaves.get(pointer) === leaf) &&
          own.every((one) => one.leaves.get(pointer) !== leaf),
      ),
    )
    .map(({ exchange }) => exchange);
}

interface Identity {
  readonly exchange: Exchange;
  readonly leaves: Leaves;
}

function identitiesIn(exchanges: ReadonlyArray<Exchange | undefined>): readonly Identity[] {
  return exchanges.flatMap((exchange) => {
    const leaves = identityIn(exchange);
    return exchange === undefined || leaves === undefined || leaves.size === 0 ? [] : [{ exchange, leaves }];
  });
}

/**
 * Where the identities of the keys differ, however often each asks; undefined where one was not read. Only this tells that
 * there are two: a number of uses differs, too.
 */
export function steadyDifferences(inTurn: IdentitiesInTurn): readonly string[] | undefined {
  const [a, b, c, d] = inTurn.map(identityIn);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return differences(a, b).filter(
    (pointer) => a.get(pointer) === d.get(pointer) && b.get(pointer) === c.get(pointer),
  );
}

interface MixUp {
  readonly first: Exchange;
  readonly second: Exchange;
}

/**
 * Two calls at one URL of which the second shows all values of the first key. The values are those by which the keys differ:
 * each key got its own at every URL that it asked first.
 */
export function mixedUpAtOneUrl(exchanges: readonly Exchange[]): MixUp | undefined {
  const firsts = new Map<string, Exchange>();
  const seconds: Exchange[] = [];
  for (const exchange of exchanges)
    if (firsts.has(exchange.request.path)) seconds.push(exchange);
    else firsts.set(exchange.request.path, exchange);
  const shown = (those: Iterable<Exchange>, kind: string, pointer: string): readonly unknown[] => [
    ...new Set(
      [...those]
        .filter(({ request }) => request.credential.kind === kind)
        .map((one) => identityIn(one)?.get(pointer)),
    ),
  ];
  const pointers = [...firsts.values()].flatMap((one) => [...(identityIn(one)?.keys() ?? [])]);
  for (const [kind, other] of [
    ['unscoped', 'scoped'],
    ['scoped', 'unscoped'],
  ] as const) {
    // A cached response is a whole one: what differs by chance, such as a member that comes and goes, differs alone.
    const differing = [...new Set(pointers)].flatMap((pointer) => {
      const [own, ...otherOwn] = shown(firsts.values(), kind, pointer);
      const [foreign, ...otherForeign] = shown(firsts.values(), other, pointer);
      const isSteady = otherOwn.length + otherForeign.length === 0;
      return isSteady && own !== undefined && foreign !== undefined && own !== foreign
        ? [{ foreign, got: shown(seconds, kind, pointer) }]
        : [];
    });
    const second = seconds.find(({ request }) => request.credential.kind === kind);
    const first = second === undefined ? undefined : firsts.get(second.request.path);
    const isForeign =
      differing.length > 0 && differing.every(({ foreign, got }) => got.length === 1 && got[0] === foreign);
    if (isForeign && first !== undefined && second !== undefined) return { first, second };
  }
  return undefined;
}
