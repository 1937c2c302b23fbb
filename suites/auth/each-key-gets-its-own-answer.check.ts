import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, pass, violated } from '../../harness/checks/outcomes.ts';
import { probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { cachedFix, cachedKind } from '../../harness/results/causes/cached-answer.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { identitiesIn } from './identities.ts';
import { mixedUpAtOnce, mixedUpAtOneUrl, queryOfOthers, showsOtherIds } from './mixed-up-identities.ts';
import { ownQuery } from './refused-calls.ts';

/**
 * Which key asks at which URL, in turn: four URLs to a full round, two of which both keys ask. The orders differ, so that
 * replicas that take turns do not show each key a value of its own. Rounds after the first confirm what it shows.
 */
const rounds: ReadonlyArray<Planned & { readonly turns: string }> = [
  { joined: 'all', turns: 's1 u2 u1' },
  { turns: 's1 u2 u3 s4 u1 s2' },
  { turns: 'u1 s2 s3 u4 s1 u2' },
];
/** Calls at URLs that the other key asked first, in both full rounds. */
const confirming = 4;

/** Pairs of concurrent calls: whether they overlap is a matter of chance. */
const pairs = 4;

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'a key does not get the response that another key got before at the same URL',
  applies: ({ group, role }) => group === 'installation' || role === 'identifies-key',
  weight: ({ group }) => (group === 'installation' ? 'high' : 'medium'),
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps: {
    asFirst: probe('call of one key at a URL of its own', { times: 4, strength: 'part' }),
    otherIds: probe('call with other ids in its query', { weight: 'medium' }),
    // An id may change from moment to moment.
    ownIds: probe('the call without them again', { followUp: true }),
    atOnce: probe('calls of both keys at the same time', {
      weight: 'medium',
      at: ({ role }) => role === 'identifies-installation',
      times: 2 * pairs,
    }),
    // A value that seems to distinguish the keys may be the name of the server that happened to answer.
    inTurn: probe('calls of the keys in turn again', { followUp: true }),
    asSecond: probe('call of one key at a URL that the other key asked first', {
      times: 2,
      strength: 'part',
    }),
  },
  probe: async (client, steps) => {
    const { scoped, unscoped } = client.keys;
    if (scoped === undefined || unscoped === undefined) return;
    const connection = client.openConnection();
    for (const [at, { turns }] of client.chosen(rounds).entries()) {
      if (at > 0 && mixedUpAtOneUrl(client.exchanges) === undefined) break;
      const asked = new Set<string>();
      for (const [key, url = ''] of turns.split(' ').map((turn) => [...turn])) {
        const credential = key === 's' ? scoped : unscoped;
        const query = `${ownQuery(client)}-${at}-${url}`;
        await client.call(asked.has(url) ? steps.asSecond : steps.asFirst, { credential, query, connection });
        asked.add(url);
      }
    }
    const others = { credential: scoped, query: queryOfOthers(client.exchanges, scoped) };
    for (const one of await client.repeat(steps.otherIds, others))
      if (showsOtherIds(one, client.exchanges))
        await client.call(steps.ownIds, { credential: scoped, query: ownQuery(client) });
    const keys = Array.from({ length: client.times(steps.atOnce) }, (_, at) =>
      at % 2 === 0 ? scoped : unscoped,
    );
    const met = await Promise.all(
      keys.map((credential, at) => {
        const own = at < pairs ? 'fresh' : client.openConnection();
        return client.call(steps.atOnce, { credential, connection: own });
      }),
    );
    // During these calls, no other was open.
    const apart = client.exchanges.filter(({ step }) => step === 'asFirst' || step === 'asSecond');
    if (mixedUpAtOnce(apart, met) === undefined) return;
    for (const credential of [...keys, ...keys.toReversed()]) await client.call(steps.inTurn, { credential });
  },
  evaluate: ({ steps: { asFirst, asSecond, atOnce, otherIds, ownIds, inTurn } }) => {
    const exchanges = [...asFirst, ...asSecond];
    if (exchanges.length > 0 && exchanges.every((one) => statusOf(one) === 400))
      return notApplicable('the service refuses unknown query parameters, so no key can have a separate URL');
    if (identitiesIn(exchanges).length < exchanges.length || asSecond.length === 0)
      return inconclusive('not every call of the two keys was answered with 200 and JSON');
    const mixedUp = asSecond.length >= confirming ? mixedUpAtOneUrl(exchanges) : undefined;
    const chosen = otherIds.find((one) => ownIds.length > 0 && showsOtherIds(one, [...exchanges, ...ownIds]));
    if (chosen !== undefined)
      return violated({
        statement: 'An id in the query decides what a key is shown',
        expected: 'the ids that the key is shown without that parameter',
        actual: '200 with other ids',
        fix: 'Take the installation and the key only from the credential, not from a parameter that any client can send.',
        exchange: chosen,
      });
    const met = inTurn.length > 0 ? mixedUpAtOnce([...exchanges, ...inTurn], atOnce) : undefined;
    if (mixedUp === undefined && met !== undefined)
      return violated({
        statement: 'A key got the response of another key',
        expected: 'the response that the key gets when no other key calls',
        actual: '200 with the response of the other key',
        company: 'with calls of both keys under way',
        exchange: met,
      });
    if (mixedUp === undefined) return pass('no key got the response of another key at the same URL');
    return violated({
      statement: 'A key got an earlier response of another key at the same URL',
      expected: 'the response that the key gets at any other URL',
      actual: '200 with the response of the other key',
      exchange: mixedUp[1],
      steps: mixedUp,
      kind: cachedKind,
      fix: cachedFix,
    });
  },
});
