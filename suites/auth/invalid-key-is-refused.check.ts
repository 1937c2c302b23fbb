import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { nearMissCount, shareOf } from '../../harness/requests/key-ring.ts';
import { mayBeMalformed } from '../../harness/requests/unusual-keys.ts';
import { together } from '../../harness/requests/variation.ts';
import { isPlainRead } from './accepted-calls.ts';
import { wordIn } from './key-names.ts';
import { besideValidCall, callAtOnce, companyOf } from './refused-calls.ts';
import { waysBesideAnotherKey } from './ways-around.ts';

/**
 * Calls with one unknown key beyond the first. With that of auth/good-key-is-accepted they are more than services tolerate
 * that ban a client after three.
 */
const repetitions = 2;
/** Milliseconds before each exact repetition of the call. */
const apartMs = 1_500;
/** Milliseconds between calls with a good key that is refused: longer in total than lockouts that prevent guessing. */
const pauses: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];
/** Unusual values per operation: enough that the operations that need one scope, five or more, share all values. */
const shared = 7;
const unusual = 'an unusual value in place of a key';

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'AUTH-3',
  title: 'an invalid key gets 401: unknown, empty, malformed, or almost a valid one',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    valid: control('valid call with the key'),
    nearMiss: probe('a key that is nearly the good one, empty or malformed', {
      times: nearMissCount,
      strength: 'one',
      expects: [401],
    }),
    // A service may remember a refused key or ban the client.
    led: probe('an unknown key, but with everything else that might grant access', { weight: 'medium' }),
    again: probe('the unknown key once more', { weight: 'medium', times: repetitions - 1, expects: [401] }),
    // The seed chooses among these, so they share a label and have no row: findings are equal at every seed.
    unreadable: probe(unusual, { weight: 'medium', times: 3, expects: [400, 401] }),
    unusual: probe(unusual, {
      times: (_operation, fuzzRuns) => Math.max(shared, Math.ceil(fuzzRuns / 2)),
      strength: 'one',
      expects: [400, 401],
    }),
    alone: witness('the unusual value once more, alone', { followUp: true }),
    named: probe('what the call names, in place of a key', {
      weight: 'medium',
      at: ({ pathParameters, requestSchema }) => pathParameters.length > 0 || requestSchema !== undefined,
      expects: [400, 401],
    }),
    // Shows whether a good key is refused after invalid ones, and for how long.
    after: control('valid call after the invalid keys', { weight: 'medium', at: isPlainRead }),
    // auth/good-key-stays-accepted uses these to see that a refused key has not expired.
    later: control('valid call after a pause', { followUp: true }),
  },
  probe: (client, steps, operation) =>
    besideValidCall(client, { step: steps.valid }, async ({ values, valid }) => {
      const { invalid, unreadable, allUnusual } = client.keys;
      // Most services check keys in one place, or in one for each scope; the operations of a scope are consecutive.
      const keyed = client.operations.filter(({ auth }) => auth === 'api-key');
      const nth = keyed
        .toSorted(({ scope: a = '' }, { scope: b = '' }) => a.localeCompare(b))
        .indexOf(operation);
      for (const [at, credential] of client.share(client.chosen(invalid), nth).entries()) {
        const label = credential.description;
        const row = { credential: label };
        // A cache may distinguish clients by their headers, so the first call looks like the one that filled it.
        const changes = { ...values, label, row, credential, ...(at === 0 && { neutral: [] }) };
        if (client.wants(steps.nearMiss, { row })) await client.call(steps.nearMiss, changes);
      }
      const [unknown] = invalid;
      if (unknown !== undefined) {
        const changes = { ...values, credential: unknown, neutral: [] };
        await client.repeat(steps.led, together(waysBesideAnotherKey(client, valid), changes));
        await client.each(steps.again, async () => {
          await client.spaced(apartMs);
          await client.call(steps.again, changes);
        });
      }
      const apart = unreadable.slice(0, client.times(steps.unreadable));
      const others = [...unreadable.slice(apart.length), ...allUnusual];
      const chosen = [...apart, ...shareOf(others, nth, client.times(steps.unusual))];
      const badKeys = chosen.map(
        (one, at) => [at < apart.length ? steps.unreadable : steps.unusual, one] as const,
      );
      await callAtOnce(client, badKeys, steps.alone, values);
      const name = wordIn(values);
      const named = name === undefined ? undefined : client.keys.asKey(name, steps.named.label);
      if (named !== undefined) await client.repeat(steps.named, { ...values, credential: named });
      let [answer] = await client.repeat(steps.after, { isOwn: true });
      for (const pause of pauses) {
        if (answer === undefined || statusOf(answer) !== 401) return;
        await client.pause(pause);
        answer = await client.call(steps.later, { isOwn: true });
      }
    }),
  evaluate: ({ steps: { valid, nearMiss, led, again, unreadable, unusual, alone, named: byName } }) => {
    // A call may be refused with any status for what it carries besides the key.
    const named = [...nearMiss, ...again, ...[...led, ...byName].filter(isOk)];
    const chosen = [...unreadable, ...unusual].filter(
      (one) => statusOf(one) !== 400 || !mayBeMalformed.has(one.request.credential.description),
    );
    return evaluateRefusals([...named, ...chosen], valid, {
      status: 401,
      subject: (exchange) =>
        chosen.includes(exchange) ? 'An unusual value in place of a key' : 'An invalid key',
      what: (exchange) => (chosen.includes(exchange) ? '' : exchange.label),
      told: (exchange) =>
        chosen.includes(exchange)
          ? { detail: exchange.request.credential.description, ...companyOf(exchange, alone) }
          : undefined,
    });
  },
});
