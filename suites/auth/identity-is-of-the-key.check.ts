import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe } from '../../harness/checks/step.ts';
import { parseBody, statusOf } from '../../harness/evidence/answer.ts';
import {
  changedLeaves,
  type Leaf,
  type Leaves,
  leavesOf,
  mentions,
} from '../../harness/evidence/json-leaves.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Profile } from '../../harness/profile.ts';
import type { Operation } from '../../spec/operation.ts';

/** How often two keys are used at once: whether the calls meet is a matter of chance. */
const rounds = (_operation: Operation, _fuzzRuns: number, profile: Profile): number =>
  profile === 'quick' ? 1 : 3;

const steps = namedSteps({
  scoped: probe('identity of the scoped key'),
  unscoped: probe('identity of the unscoped key'),
  unscopedAgain: probe('identity of the unscoped key again'),
  scopedAgain: probe('identity of the scoped key after the unscoped one'),
  scopedAtOnce: probe('identity of the scoped key at the same time as the unscoped one', { most: rounds }),
  unscopedAtOnce: probe('identity of the unscoped key at the same time as the scoped one', { most: rounds }),
});

/** The scope that the contract names, which tells the two keys apart. */
const scope = 'catalog:read';

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'the identity is that of the key that asks, whoever asked before',
  applies: ({ role }) => role === 'identifies-key',
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps,
  probe: async (client, operation) => {
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
    for (let round = 0; round < rounds(operation, 0, client.profile); round += 1)
      await Promise.all([
        client.call(steps.scopedAtOnce, { credential: scoped, connection }),
        client.call(steps.unscopedAtOnce, { credential: unscoped, connection: another }),
      ]);
  },
  evaluate: ({ steps }) => {
    const [scoped, unscoped, unscopedAgain, scopedAgain] = [
      steps.scoped[0],
      steps.unscoped[0],
      steps.unscopedAgain[0],
      steps.scopedAgain[0],
    ];
    const [a, b, c, d] = [scoped, unscoped, unscopedAgain, scopedAgain].map(identityIn);
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      return inconclusive('the identities of the two keys were not all answered with 200 and JSON');
    // What differs between two reads of each key, such as a number of uses, says nothing of whose identity it is.
    const volatile = new Set(changedLeaves(b, c).filter((pointer) => changedLeaves(a, d).includes(pointer)));
    const isSame = (one: Leaves, other: Leaves): boolean =>
      changedLeaves(one, other).every((pointer) => volatile.has(pointer));
    const isWrong = [
      { exchange: unscoped, holds: isSame(a, b) && mentions(b, scope) && namesKey(b) },
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
    const ofScoped = [scoped, scopedAgain, ...steps.scopedAtOnce].filter((one) => one !== undefined);
    const ofUnscoped = [unscoped, unscopedAgain, ...steps.unscopedAtOnce].filter((one) => one !== undefined);
    const wrong = [
      ...isWrong.flatMap(({ exchange, holds }) => (holds && exchange !== undefined ? [exchange] : [])),
      ...mixedUp(ofScoped, ofUnscoped),
    ];
    return violatedOr(
      wrong.slice(0, 1).map((exchange) => ({
        statement: 'The identity of another key was returned',
        expected: 'the identity of the key that asks',
        actual: '200 with the identity of the other key',
        exchange,
      })),
      () => pass('each key got its own identity, in every order'),
    );
  },
});

export default check;

/**
 * Identities that name the scope where others of the same key do not, or the other way round, and have a text in common
 * with one of the other key: calls of other cases can mix up those that show which identity is whose.
 */
function mixedUp(ofScoped: readonly Exchange[], ofUnscoped: readonly Exchange[]): readonly Exchange[] {
  return [...strangersAmong(ofUnscoped, ofScoped, false), ...strangersAmong(ofScoped, ofUnscoped, true)];
}

function strangersAmong(
  ofKey: readonly Exchange[],
  ofOtherKey: readonly Exchange[],
  holdsScope: boolean,
): readonly Exchange[] {
  const shown = ofKey.flatMap((exchange) => {
    const leaves = identityIn(exchange);
    return leaves === undefined || leaves.size === 0 ? [] : [{ exchange, leaves }];
  });
  const others = ofOtherKey.flatMap((exchange) => identityIn(exchange) ?? []);
  const isNaming = (leaf: Leaf): boolean => String(leaf).includes(scope);
  const naming = new Set(
    [...shown.map(({ leaves }) => leaves), ...others].flatMap((leaves) =>
      [...leaves].flatMap(([pointer, leaf]) => (isNaming(leaf) ? [pointer] : [])),
    ),
  );
  const own = shown.filter(({ leaves }) => mentions(leaves, scope) === holdsScope);
  if (own.length === 0) return [];
  return shown
    .filter(({ leaves }) => mentions(leaves, scope) !== holdsScope)
    .filter(({ leaves }) =>
      [...leaves].some(
        ([pointer, leaf]) =>
          typeof leaf === 'string' &&
          !naming.has(pointer) &&
          others.some((other) => other.get(pointer) === leaf) &&
          own.every((one) => one.leaves.get(pointer) !== leaf),
      ),
    )
    .map(({ exchange }) => exchange);
}

/** Whether an identity names the key itself, which two keys cannot share; other identities may be those of an installation. */
function namesKey(identity: Leaves): boolean {
  return [...identity.keys()].some((pointer) => /\/(?:api)?[_-]?key[_-]?id$/i.test(pointer));
}

function identityIn(exchange: Exchange | undefined): Leaves | undefined {
  if (exchange === undefined || statusOf(exchange) !== 200) return undefined;
  const body = parseBody(exchange.response?.body);
  return body === undefined ? undefined : leavesOf(body);
}
