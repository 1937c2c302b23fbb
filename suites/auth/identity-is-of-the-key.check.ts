import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { type Leaf, type Leaves, leavesOf, mentions } from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { differences, hintsAt, holdsScope, identityIn, scope } from './identities.ts';
import { ownQuery } from './refused-call.ts';

type Connection = NonNullable<CallChanges['connection']>;

/** How often two keys are used at once: whether the calls meet is a matter of chance. */
const times = { quick: 1, standard: 6, deep: 6 };
/** Calls of each key in a round: on connections that are open, then on fresh ones. */
const inRound = 2;

const steps = namedSteps({
  scoped: probe('identity of the scoped key'),
  unscoped: probe('identity of the unscoped key'),
  unscopedAgain: probe('identity of the unscoped key again'),
  scopedAgain: probe('identity of the scoped key after the unscoped one'),
  scopedAtOnce: probe('identity of the scoped key at the same time as the unscoped one', { times }),
  unscopedAtOnce: probe('identity of the unscoped key at the same time as the scoped one', { times }),
  // Where both keys get the same: a URL that no cache knows, asked first by the key whose identity tells more.
  scopedAfresh: probe('identity of the scoped key, with a query of its own', { followUp: true }),
  unscopedAfresh: probe('identity of the unscoped key, with the same query', { followUp: true }),
  scopedLater: probe('identity of the scoped key, after a pause', { followUp: true }),
  unscopedLater: probe('identity of the unscoped key, right after that', { followUp: true }),
  foreignPart: witness('identity that holds a part of the other key', { followUp: true }),
});

/** Milliseconds in which short-lived caches forget. */
const pauseMs = 1_500;

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'the identity is that of the key that asks, whoever asked before',
  applies: ({ role }) => role === 'identifies-key',
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps,
  probe: async (client) => {
    const { scoped, unscoped } = client.keys;
    if (scoped === undefined || unscoped === undefined) return;
    // On one connection, since some services keep the identity with it.
    const connection = client.openConnection();
    await client.call(steps.scoped, { credential: scoped, connection });
    await client.call(steps.unscoped, { credential: unscoped, connection });
    // Calls at the same time arrive closer together on two connections that are open.
    const another = client.openConnection();
    await client.call(steps.unscopedAgain, { credential: unscoped, connection: another });
    await client.call(steps.scopedAgain, { credential: scoped, connection });
    const atOnce = client.times(steps.scopedAtOnce);
    for (let round = 0; round < atOnce / inRound; round += 1) {
      const pair = (scopedOn: Connection, unscopedOn: Connection): ReadonlyArray<() => Promise<Exchange>> => [
        () => client.call(steps.scopedAtOnce, { credential: scoped, connection: scopedOn }),
        () => client.call(steps.unscopedAtOnce, { credential: unscoped, connection: unscopedOn }),
      ];
      const both = [...pair(connection, another), ...(atOnce < inRound ? [] : pair('fresh', 'fresh'))];
      // Processes that take turns would otherwise each see one key.
      await Promise.all((round % 2 === 0 ? both : both.reverse()).map((call) => call()));
    }
    if (steadyDifferences(client.exchanges.slice(0, 4))?.length !== 0) return;
    const query = ownQuery(client);
    await client.call(steps.scopedAfresh, { credential: scoped, query });
    await client.call(steps.unscopedAfresh, { credential: unscoped, query });
    await client.pause(pauseMs);
    await client.call(steps.scopedLater, { credential: scoped });
    await client.call(steps.unscopedLater, { credential: unscoped });
    const shown = leavesOf(client.lastBody);
    // Only here are the keys known: that the call is repeated says what the identity held.
    for (const [own, other] of [
      [scoped, unscoped],
      [unscoped, scoped],
    ] as const) {
      // An account may list all of its keys.
      const isForeign = hintsAt(shown, other, own) && !hintsAt(shown, own, other);
      if (isForeign) await client.call(steps.foreignPart, { credential: own });
    }
  },
  evaluate: ({ steps }) => {
    const [scoped, unscoped, unscopedAgain, scopedAgain] = [
      steps.scoped[0],
      steps.unscoped[0],
      steps.unscopedAgain[0],
      steps.scopedAgain[0],
    ];
    const first = [scoped, unscoped, unscopedAgain, scopedAgain];
    const [a, b, c, d] = first.map(identityIn);
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      return inconclusive('the identities of the two keys were not all answered with 200 and JSON');
    // What differs between two reads of each key, such as a number of uses, says nothing of whose identity it is.
    const volatile = new Set(differences(b, c).filter((pointer) => differences(a, d).includes(pointer)));
    const isSame = (one: Leaves, other: Leaves): boolean =>
      differences(one, other).every((pointer) => volatile.has(pointer));
    const isWrong = [
      { exchange: unscopedAgain, holds: !isSame(a, b) && isSame(c, a) },
      { exchange: scopedAgain, holds: !isSame(a, b) && isSame(c, b) && isSame(d, b) },
      ...[
        ...steps.scopedAtOnce.map((exchange) => ({ exchange, own: a, other: b })),
        ...steps.unscopedAtOnce.map((exchange) => ({ exchange, own: b, other: a })),
      ].map(({ exchange, own, other }) => {
        const shown = identityIn(exchange);
        return { exchange, holds: shown !== undefined && !isSame(own, other) && isSame(shown, other) };
      }),
    ];
    const { scopedAtOnce, scopedAfresh, scopedLater, unscopedAtOnce, unscopedAfresh, unscopedLater } = steps;
    const areAll = (exchanges: readonly Exchange[], own: Leaves): boolean =>
      exchanges.every((one) => isSame(identityIn(one) ?? new Map(), own));
    // Fresh connections show that it is not the server behind a connection which differs.
    const isKept =
      isSame(a, b) &&
      !isSame(b, c) &&
      isSame(d, a) &&
      scopedAtOnce.some(({ request }) => request.connection === 'fresh') &&
      areAll(scopedAtOnce, a) &&
      areAll(unscopedAtOnce, c);
    const kept = isKept && unscoped !== undefined ? [unscoped] : [];
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
      ...isWrong.flatMap(({ exchange, holds }) => (holds && exchange !== undefined ? [exchange] : [])),
      ...mixedUp(ofScoped, ofUnscoped),
      ...kept,
    ];
    const atOnce = [...scopedAtOnce, ...unscopedAtOnce];
    const violations = [
      ...wrong.map((exchange) => ({ exchange, actual: '200 with the identity of the other key' })),
      ...steps.foreignPart.map((exchange) => ({ exchange, actual: '200 with a part of the other key' })),
    ];
    return violatedOr(
      violations.slice(0, 1).map(({ exchange, actual }) => ({
        statement: 'The identity of another key was returned',
        expected: 'the identity of the key that asks',
        actual,
        exchange,
        // Alone, each key got its own.
        ...(atOnce.includes(exchange) ? { company: 'with calls of both keys under way' } : {}),
        ...(kept.includes(exchange)
          ? { company: 'on a connection that carried a call of the other key' }
          : {}),
      })),
      () =>
        steadyDifferences(first)?.length === 0
          ? inconclusive(
              'both keys got the same identity, which may be that of their account or of whichever key asked first',
              'keys: { unscoped: <a key without catalog:read whose identity differs, such as one of another account> }',
            )
          : pass('each key got its own identity, in every order'),
    );
  },
});

export default check;

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
function steadyDifferences(first: ReadonlyArray<Exchange | undefined>): readonly string[] | undefined {
  const [a, b, c, d] = first.map(identityIn);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return differences(a, b).filter(
    (pointer) => a.get(pointer) === d.get(pointer) && b.get(pointer) === c.get(pointer),
  );
}
