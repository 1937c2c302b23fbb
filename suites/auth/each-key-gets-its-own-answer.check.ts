import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { identityIn } from './identities.ts';
import { ownQuery } from './refused-call.ts';

const steps = namedSteps({
  asFirst: probe('call of one key at a URL of its own', { times: { quick: 2, standard: 4, deep: 4 } }),
  asSecond: probe('call of one key at a URL that the other key asked first', {
    times: { quick: 1, standard: 2, deep: 2 },
  }),
});

/** What a quick run sends first; the rounds confirm what it shows. */
const quickRound = ['scoped 1', 'unscoped 2', 'unscoped 1'] as const;

/**
 * Who asks at which URL, in turn: four URLs to a round, two of which both keys ask. The orders differ, so that replicas that
 * take turns do not show each key a value of its own.
 */
const rounds = [
  ['scoped 1', 'unscoped 2', 'unscoped 3', 'scoped 4', 'unscoped 1', 'scoped 2'],
  ['unscoped 1', 'scoped 2', 'scoped 3', 'unscoped 4', 'scoped 1', 'unscoped 2'],
] as const;

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-5',
  title: 'what one key is shown at a URL is not what the key before it got there',
  applies: ({ group, role }) => group === 'installation' || role === 'identifies-key',
  from: ({ role }) => (role === 'identifies-installation' ? 'quick' : 'standard'),
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps,
  probe: async (client) => {
    const { scoped, unscoped } = client.keys;
    if (scoped === undefined || unscoped === undefined) return;
    const keys = { scoped, unscoped };
    const connection = client.openConnection();
    const isShort = client.times(steps.asFirst) < rounds[0].length - 2;
    const quick = isShort ? [quickRound] : [];
    for (const [at, order] of [...quick, ...rounds].entries()) {
      if (at > 0 && mixedUp(client.exchanges) === undefined) return;
      const asked = new Set<string>();
      for (const turn of order) {
        const [key, url] = turn.split(' ') as [keyof typeof keys, string];
        const step = asked.has(url) ? steps.asSecond : steps.asFirst;
        asked.add(url);
        await client.call(step, {
          credential: keys[key],
          query: `${ownQuery(client)}-${at}-${url}`,
          connection,
        });
      }
    }
  },
  evaluate: ({ steps: { asFirst, asSecond } }) => {
    const exchanges = [...asFirst, ...asSecond];
    if (exchanges.length > 0 && exchanges.every((one) => statusOf(one) === 400))
      return notApplicable(
        'a query that the service does not know is refused, so that no key has a URL of its own',
      );
    if (exchanges.some((one) => identityIn(one) === undefined) || asSecond.length === 0)
      return inconclusive('the calls of the two keys were not all answered with 200 and JSON');
    const isConfirmed = asSecond.length >= rounds.length * 2;
    const wrong = isConfirmed ? mixedUp(exchanges) : undefined;
    return violatedOr(
      wrong === undefined
        ? []
        : [
            {
              statement: 'A key got what another key had been shown at the same URL',
              expected: 'what the key is shown at any other URL',
              actual: '200 with what the other key is shown',
              exchange: wrong.second,
              steps: [wrong.first, wrong.second],
            },
          ],
      () => pass('no key was shown what another key got at the same URL'),
    );
  },
});

export default check;

interface MixUp {
  readonly first: Exchange;
  readonly second: Exchange;
}

/**
 * Two calls at one URL of which the second shows all values of the first key. The values are those by which the keys differ:
 * each key got its own at every URL that it asked first.
 */
function mixedUp(exchanges: readonly Exchange[]): MixUp | undefined {
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
