import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { bodyOf, variedBodies } from '../../harness/checks/vary-body.ts';
import { describeAnswer, hasStatus, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import { riderRows } from '../../harness/requests/riders.ts';
import { reversed } from '../request/unusual-forms.ts';
import { isOfStranger, isRepeated, refusals, strangers, wrongReturns } from './wrong-returns.ts';

/** Milliseconds after which a repeated answer is requested once more. */
const pause = 1000;
/** Milliseconds after which a login is returned late; one that has ended by then is refused. */
const lateMs = 2_200;

export const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-2',
  title:
    'a login return can be consumed exactly once, and a call without a good key or its scope does not use it up',
  applies: ({ role }) => role === 'consumes-login',
  needs: () => ['scoped-key', 'valid-call'],
  // A target may allow one login at a time.
  alone: () => true,
  steps: {
    first: control('consumes a return'),
    again: probe('consumes the same return again'),
    afterPause: probe('consumes the same return again after a pause', { followUp: true }),
    afterAnother: probe('consumes the same return again after another login'),
    asAnotherClient: probe('consumes the same return again, as another client', {
      times: riderRows,
      strength: 'one',
      expects: refusals,
    }),
    atOnce: probe('consumes one return twice at once', {
      // Whether two calls meet is a matter of chance.
      times: 4,
      strength: 'part',
    }),
    // A login may move to another store, or out of memory; a passive check sees what breaks then.
    late: witness('consumes a return seconds after its login', { weight: 'medium' }),
    stranger: witness('tries to consume another return without a good key, or without the scope', {
      weight: 'medium',
    }),
    afterStranger: probe('consumes the same return with the key', { weight: 'medium' }),
    // Shows that a return which nobody else tried is still consumed.
    untouched: control('consumes a return that nobody tried before', { followUp: true, isOwn: true }),
  },
  probe: (client, steps, operation) =>
    client.inTurn(async () => {
      const first = await client.call(steps.first);
      const body = bodyOf(first);
      if (!isOk(first) || body === undefined) return;
      const again = await client.call(steps.again, { body });
      if (isRepeated(first, again)) {
        await client.pause(pause);
        await client.call(steps.afterPause, { body });
      }
      const tried = [body];
      for (let calls = 0; calls < client.times(steps.atOnce); calls += 2) {
        const other = jsonBody(await client.validBody());
        const consume = (): Promise<Exchange> =>
          client.call(steps.atOnce, { body: other, connection: 'fresh' });
        // Retried as a pair: which of two retries under way is whose cannot be told from the evidence.
        await client.retryEarly(operation, async () => {
          const [one, two] = await Promise.all([consume(), consume()]);
          return hasStatus(one, 404) ? two : one;
        });
        tried.push(other);
      }
      // The same JSON in other bytes.
      const write = (value: Json): string => JSON.stringify(reversed(value), null, 1);
      const [respelled] = variedBodies(first, { write });
      const refused = await client.call(steps.afterAnother, { body: respelled ?? body });
      if (hasStatus(refused, ...refusals)) await client.repeat(steps.asAnotherClient, { body });
      await client.each(steps.late, async () => {
        const late = jsonBody(await client.validBody());
        await client.pause(lateMs);
        await client.call(steps.late, { body: late });
        tried.push(late);
      });
      const isLeft = async (credential: Credential): Promise<boolean> => {
        for (let round = 0; round < strangers * client.times(steps.stranger); round += 1) {
          const kept = jsonBody(await client.validBody());
          // A target that gives equal logins one answer may give out one that has been consumed.
          if (tried.some(({ bytes }) => bytes.equals(kept.bytes))) return false;
          const stranger = await client.call(steps.stranger, { body: kept, credential });
          if (!isOfStranger(stranger)) return false;
          const after = (): Promise<Exchange> => client.call(steps.afterStranger, { body: kept });
          if (isOk((await client.retryEarly(operation, after)).answer)) return true;
          const untouched = await client.call(steps.untouched);
          const used = bodyOf(untouched);
          if (!isOk(untouched) || used === undefined) return false;
          tried.push(kept, used);
        }
        return false;
      };
      const { none, invalid, unscoped } = client.keys;
      for (const credential of [none, invalid[0], unscoped])
        if (credential !== undefined && !(await isLeft(credential))) return;
    }),
  evaluate: ({ steps }) => {
    const [first] = steps.first;
    if (first === undefined) return inconclusive('no return was consumed');
    if (!isOk(first))
      return notTested(`the first use of the return was already answered ${describeAnswer(first)}`);
    const last = [...steps.again, ...steps.afterPause, ...steps.afterAnother].at(-1);
    if (last === undefined)
      return inconclusive('the body of the return holds a secret, so it was not recorded as it was sent');
    return violatedOr(wrongReturns(steps, first).slice(0, 1), () =>
      isRepeated(first, last)
        ? inconclusive(
            'the first answer was repeated unchanged, which is allowed for a short time, so nothing shows whether the return was consumed',
          )
        : pass(`consumed with 200, then refused with ${describeAnswer(last)}`),
    );
  },
});
