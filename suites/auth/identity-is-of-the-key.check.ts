import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { probe, witness } from '../../harness/checks/step.ts';
import { leavesOf } from '../../harness/evidence/json-leaves.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import { hintsAt, identityCalls } from './identities.ts';
import { callByNames, keyName } from './key-names.ts';
import { areAlike, wrongIdentities } from './mixed-up-identities.ts';
import { ownQuery } from './refused-calls.ts';
import { isPrivate } from './ways-around.ts';

const bothWays = (['open', 'fresh'] as const).map((on) => ({ on, weight: 'medium' }) as const);
/** Pairs of concurrent calls, by round: whether they overlap is a matter of chance. */
const rounds: ReadonlyArray<ReadonlyArray<Planned & { readonly on: 'open' | 'fresh' }>> = [
  [{ on: 'open' }, { on: 'fresh', weight: 'medium' }],
  bothWays,
  bothWays,
];
const often = { times: countByProfile(rounds.flat()) };
/** What to report where a key in another header decides. */
const besideOtherTold = {
  company: 'with the other key in the header X-Api-Key',
  fix: 'Read the key only from the Authorization header. Look for a middleware or gateway that takes the caller from another header.',
};
/** Milliseconds after which short-lived caches have expired. */
const pauseMs = 1_500;

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'the identity is that of the calling key, regardless of earlier callers',
  applies: ({ role }) => role === 'identifies-key',
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps: {
    inTurn: probe('identity of each key, after that of itself and of the other one', { times: 4 }),
    scopedAtOnce: probe('identity of the scoped key at the same time as the unscoped one', often),
    unscopedAtOnce: probe('identity of the unscoped key at the same time as the scoped one', often),
    // Only the header that the contract names decides who calls.
    besideOther: probe('identity of each key, with the other one in the header X-Api-Key', { times: 2 }),
    installation: witness('identity of the installation', { weight: 'medium' }),
    named: keyName,
    // If both keys get the same identity: a URL that no cache knows, called first by the key whose identity has more fields.
    afresh: probe('identity of each key, with the same query of its own', { followUp: true }),
    later: probe('identity of each key, after a pause', { followUp: true }),
    foreignPart: witness('identity that holds a part of the other key', { followUp: true }),
  },
  probe: async (client, steps) => {
    const { scoped, unscoped } = client.keys;
    if (scoped === undefined || unscoped === undefined) return;
    // On one connection, since some services keep the identity with it.
    const connection = client.openConnection();
    const identity = await client.call(steps.inTurn, { credential: scoped, connection });
    await callByNames(client, steps, identity);
    await client.call(steps.inTurn, { credential: unscoped, connection });
    // Concurrent calls arrive closer together on two connections that are already open.
    const another = client.openConnection();
    // A cookie that no call had before identifies nobody either.
    const headers = { cookie: `session=${String(await client.fill('{unique}'))}` };
    await client.call(steps.inTurn, { credential: unscoped, connection: another, headers });
    await client.call(steps.inTurn, { credential: scoped, connection, headers });
    if (isPrivate(client.baseUrl))
      for (const credential of [scoped, unscoped]) {
        const { secret } = credential === scoped ? unscoped : scoped;
        await client.call(steps.besideOther, { credential, headers: { 'x-api-key': secret } });
      }
    for (const [nth, round] of rounds.entries()) {
      const calls = client.chosen(round).flatMap(({ on }) => {
        const [own, other] = on === 'open' ? [connection, another] : [on, on];
        return [
          () => client.call(steps.scopedAtOnce, { credential: scoped, connection: own }),
          () => client.call(steps.unscopedAtOnce, { credential: unscoped, connection: other }),
        ];
      });
      // Otherwise, processes that take turns would each see only one key.
      await Promise.all((nth % 2 === 0 ? calls : calls.reverse()).map((call) => call()));
    }
    if (areAlike(identityCalls(client.exchanges)) !== true) return;
    const query = ownQuery(client);
    for (const credential of [scoped, unscoped]) await client.call(steps.afresh, { credential, query });
    await client.pause(pauseMs);
    for (const credential of [scoped, unscoped]) await client.call(steps.later, { credential });
    const shown = leavesOf(client.lastBody);
    // Only the probe knows the keys, so repeating the call records that the identity held one. An account may list all its keys.
    const shows = { scoped: hintsAt(shown, scoped, unscoped), unscoped: hintsAt(shown, unscoped, scoped) };
    if (shows.scoped !== shows.unscoped)
      await client.call(steps.foreignPart, { credential: shows.scoped ? unscoped : scoped });
  },
  evaluate: ({ exchanges: all, steps: { besideOther, scopedAtOnce, unscopedAtOnce, foreignPart } }) => {
    const exchanges = identityCalls(all);
    const wrong = wrongIdentities(exchanges, [...scopedAtOnce, ...unscopedAtOnce], besideOther);
    if (wrong === undefined)
      return inconclusive('not every call for the identities of the two keys was answered with 200 and JSON');
    const violations = [
      ...wrong.map((one) => ({
        ...one,
        actual: '200 with the identity of the other key',
        ...(besideOther.includes(one.exchange) && besideOtherTold),
      })),
      ...foreignPart.map((exchange) => ({ exchange, actual: '200 with a part of the other key' })),
    ];
    return violatedOr(
      violations.slice(0, 1).map((violation) => ({
        statement: 'The identity of another key was returned',
        expected: 'the identity of the calling key',
        ...violation,
      })),
      () =>
        areAlike(exchanges) === true
          ? inconclusive(
              'both keys got the same identity, which may be that of their account or of the key that called first',
              'keys: { unscoped: <a key without catalog:read whose identity differs, such as one of another account> }',
            )
          : pass('each key got its own identity, in every order'),
    );
  },
});
