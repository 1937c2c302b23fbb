import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { steadyControl } from '../../harness/checks/steady-control.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { fewerParts } from '../../harness/fuzzing/smaller-sequences.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { InconclusiveError } from '../../harness/requests/inconclusive-error.ts';
import { asBrowser, isPrivate, type MisplacedKey, misplacedKeys, together } from './misplaced-keys.ts';
import { valuesToRefuse } from './refused-call.ts';

const steps = namedSteps({
  valid: control('valid call with the key in its header'),
  misplaced: probe('a good key elsewhere than in its header'),
  single: probe('a good key in one other place', { followUp: true }),
  withoutKey: witness('without any key', { followUp: true }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-2',
  title: 'a good key in the query, a cookie, another header or the body is no credential',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  // In a quick run, auth/missing-credentials-are-refused sends the misplaced keys.
  from: () => 'standard',
  steps,
  probe: async (client, operation) => {
    const key = client.keys.scoped;
    // Servers and proxies write URLs into their logs.
    if (!isPrivate(client.baseUrl))
      throw new InconclusiveError(
        'a key in a URL may be read on the way, as the target is not reached by https',
        {
          remedy: 'baseUrl: https://<the host of the target>',
        },
      );
    if (key === undefined) return;
    const { exchange: valid, missing } = await steadyControl(client, operation, steps.valid);
    const stranger = { ...(await valuesToRefuse(client, operation)), credential: client.keys.none };
    const lists = misplacedKeys(key, valid);
    const everywhere = lists.flat();
    const exchange = await client.call(steps.misplaced, { ...stranger, ...asBrowser(together(everywhere)) });
    if (statusOf(exchange) === 200) await findPlace(client, everywhere);
    // One place may be refused in itself, which says nothing of the others.
    else if (statusOf(exchange) !== 401)
      for (const places of lists) {
        const apart = await client.call(steps.misplaced, { ...stranger, ...asBrowser(together(places)) });
        if (statusOf(apart) === 200) await findPlace(client, places);
      }
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ steps: { valid, misplaced, single, withoutKey } }) => {
    const control = valid.at(-1);
    if (control === undefined || misplaced.length === 0) return inconclusive('no call was sent');
    if (statusOf(control) !== 200)
      return inconclusive(`the call with the key in its header was answered ${describeAnswer(control)}`);
    const accepted = misplaced.filter((exchange) => statusOf(exchange) === 200);
    if (accepted.length > 0 && withoutKey.some((exchange) => statusOf(exchange) === 200))
      return inconclusive('a call without any key was answered 200 as well, which another check evaluates');
    const found = single.filter((exchange) => statusOf(exchange) === 200);
    const places = found.filter(
      ({ label }) => !found.some((other) => other.label !== label && label.includes(other.label)),
    );
    const violations = (places.length > 0 ? places : accepted).map((exchange) => ({
      statement: `A call without a key in the Authorization header was accepted: ${exchange.label}`,
      expected: '401',
      actual: '200',
      exchange,
    }));
    return violatedOr(violations.slice(0, 3), () =>
      pass(`no key was accepted outside its header, in ${misplaced.length} calls`),
    );
  },
});

export default check;

/** Finds out which place counts, or which places together, and whether any does. */
async function findPlace(client: CaseClient, places: readonly MisplacedKey[]): Promise<void> {
  const stranger = { credential: client.keys.none, placeholders: true };
  const bare = await client.call(steps.withoutKey, stranger);
  if (statusOf(bare) === 200) return;
  await client.smallest(places, {
    smaller: fewerParts,
    keyOf: (some) => some.map(({ place }) => place).join(),
    stillFails: async (some) => {
      const label = some.map(({ place }) => place).join(' and ');
      const exchange = await client.call(steps.single, { label, ...stranger, ...together(some) });
      return statusOf(exchange) === 200;
    },
    budget: 2 * places.length,
  });
}
