import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { cachedFix, cachedKind } from '../../harness/results/causes/cached-answer.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { identitiesIn } from './identities.ts';
import { mixedUpAtOneUrl } from './mixed-up-identities.ts';
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

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'what one key is shown at a URL is not what the key before it got there',
  applies: ({ group, role }) => group === 'installation' || role === 'identifies-key',
  weight: ({ group }) => (group === 'installation' ? 'high' : 'medium'),
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps: {
    asFirst: probe('call of one key at a URL of its own', { times: 4, strength: 'part' }),
    asSecond: probe('call of one key at a URL that the other key asked first', {
      times: 2,
      strength: 'part',
    }),
  },
  probe: async (client, steps) => {
    const connection = client.openConnection();
    for (const [at, { turns }] of client.chosen(rounds).entries()) {
      if (at > 0 && mixedUpAtOneUrl(client.exchanges) === undefined) return;
      const asked = new Set<string>();
      for (const [key, url = ''] of turns.split(' ').map((turn) => [...turn])) {
        const credential = key === 's' ? client.keys.scoped : client.keys.unscoped;
        if (credential === undefined) return;
        const query = `${ownQuery(client)}-${at}-${url}`;
        await client.call(asked.has(url) ? steps.asSecond : steps.asFirst, { credential, query, connection });
        asked.add(url);
      }
    }
  },
  evaluate: ({ steps: { asFirst, asSecond } }) => {
    const exchanges = [...asFirst, ...asSecond];
    if (exchanges.length > 0 && exchanges.every((one) => statusOf(one) === 400))
      return notApplicable(
        'a query that the service does not know is refused, so that no key has a URL of its own',
      );
    if (identitiesIn(exchanges).length < exchanges.length || asSecond.length === 0)
      return inconclusive('the calls of the two keys were not all answered with 200 and JSON');
    const mixedUp = asSecond.length >= confirming ? mixedUpAtOneUrl(exchanges) : undefined;
    return violatedOr(
      mixedUp === undefined
        ? []
        : [
            {
              statement: 'A key got what another key had been shown at the same URL',
              expected: 'what the key is shown at any other URL',
              actual: '200 with what the other key is shown',
              exchange: mixedUp[1],
              steps: mixedUp,
              kind: cachedKind,
              fix: cachedFix,
            },
          ],
      () => pass('no key was shown what another key got at the same URL'),
    );
  },
});
