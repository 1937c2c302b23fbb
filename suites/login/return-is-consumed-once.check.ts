import { isDeepStrictEqual } from 'node:util';
import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody, type RawBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { anyRefusal, refusals } from './refusals.ts';

/** Milliseconds after which a repeated answer is requested once more. */
const pause = 1000;
/** Logins that must be used up by a stranger: another case may have consumed the first before it was given out again. */
const strangers = 2;

const steps = namedSteps({
  first: control('consumes a return'),
  again: probe('consumes the same return again'),
  afterPause: probe('consumes the same return again after a pause', { followUp: true }),
  afterAnother: probe('consumes the same return again after another login'),
  atOnce: probe('consumes one return twice at once', {
    // Whether two calls meet is a matter of chance.
    times: { quick: 2, standard: 4, deep: 4 },
  }),
  stranger: witness('consumes another return without a key', { from: 'standard' }),
  afterStranger: probe('consumes the same return with the key', { from: 'standard' }),
  // Shows that a return which nobody else tried is still consumed.
  untouched: control('consumes a return that nobody tried before', { followUp: true, isOwn: true }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-2',
  title: 'a login return is consumed once: a consumed one is refused, one that a stranger tried is not',
  applies: ({ role }) => role === 'consumes-login',
  needs: () => ['scoped-key', 'valid-call'],
  // A target may allow one login at a time.
  alone: () => true,
  steps,
  probe: (client, operation) =>
    client.inTurn(async () => {
      const first = await client.call(steps.first);
      const sent = sentBody(first);
      if (statusOf(first) !== 200 || sent === undefined) return;
      const body = { bytes: Buffer.from(sent.text), contentType: 'application/json' };
      const again = await client.call(steps.again, { body });
      if (isRepeated(first, again)) {
        await client.pause(pause);
        await client.call(steps.afterPause, { body });
      }
      const other = jsonBody(await client.validBody());
      await consumeAtOnce(client, operation, other);
      for (let calls = 2; calls < client.times(steps.atOnce); calls += 2)
        await consumeAtOnce(client, operation, jsonBody(await client.validBody()));
      await client.call(steps.afterAnother, { body });
      if (!client.plans(steps.stranger)) return;
      const tried = new Set([sent.text, other.bytes.toString()]);
      for (let round = 0; round < strangers; round += 1) {
        const kept = jsonBody(await client.validBody());
        // A target that gives equal logins one answer may give out one that has been consumed.
        if (tried.has(kept.bytes.toString())) return;
        const stranger = await client.call(steps.stranger, { body: kept, credential: client.keys.none });
        if (statusOf(stranger) !== 401) return;
        const { answer: after } = await client.retryEarly(operation, () =>
          client.call(steps.afterStranger, { body: kept }),
        );
        if (statusOf(after) === 200) return;
        const untouched = await client.call(steps.untouched);
        if (statusOf(untouched) !== 200) return;
        tried.add(kept.bytes.toString()).add(sentBody(untouched)?.text ?? '');
      }
    }),
  evaluate: ({ steps }) => {
    const [first] = steps.first;
    const repeats = [...steps.again, ...steps.afterPause, ...steps.afterAnother];
    const last = repeats.at(-1);
    if (first === undefined) return inconclusive('no return was consumed');
    if (statusOf(first) !== 200)
      return notTested(`the return was answered ${describeAnswer(first)} the first time already`);
    if (last === undefined)
      return inconclusive('the body of the return was not recorded as it was sent, as it holds a secret');
    const wrong = repeats.find(
      (exchange) => !refusals.includes(statusOf(exchange) ?? 0) && !isRepeated(first, exchange),
    );
    if (wrong !== undefined) {
      return violated({
        statement: 'A login return could be consumed twice',
        expected: `${anyRefusal}, or the first answer unchanged for a short time`,
        actual: statusOf(wrong) === 200 ? '200 with another body' : describeAnswer(wrong),
        exchange: wrong,
      });
    }
    const two = steps.atOnce.find((call, at) =>
      steps.atOnce.slice(0, at).some((one) => isSameReturn(one, call) && areBothConsumed(one, call)),
    );
    if (two !== undefined) {
      return violated({
        statement: 'A login return could be consumed twice at once',
        expected: `${anyRefusal} for one of the two, or the same answer for both`,
        actual: '200 with another body',
        clause: 'at-once',
        fix: 'Look the login up and mark it as consumed in one step, before its code is exchanged: a transaction that locks the row, or one conditional UPDATE whose number of rows decides between 200 and 409.',
        exchange: two,
        steps: steps.atOnce.filter((one) => isSameReturn(one, two)),
      });
    }
    const used = steps.afterStranger.at(-1);
    const isShown = steps.untouched.filter((exchange) => statusOf(exchange) === 200).length === strangers;
    if (used !== undefined && refusals.includes(statusOf(used) ?? 0) && isShown) {
      return violated({
        statement: 'A call without credentials used up a login',
        expected: '200 to the same return with the key',
        actual: describeAnswer(used),
        exchange: used,
        relatedExchanges: steps.stranger,
      });
    }
    return isRepeated(first, last)
      ? inconclusive(
          'the first answer was repeated unchanged, which is allowed for a short time, so nothing shows whether the return was consumed',
        )
      : pass(`consumed with 200, the next time refused with ${describeAnswer(last)}`);
  },
});

export default check;

async function consumeAtOnce(client: CaseClient, operation: Operation, body: RawBody): Promise<void> {
  const consume = (): Promise<Exchange> => client.call(steps.atOnce, { body, connection: 'fresh' });
  // Retried as a pair: which of two retries under way is whose cannot be told from the evidence.
  await client.retryEarly(operation, async () => {
    const [one, two] = await Promise.all([consume(), consume()]);
    return statusOf(one) === 404 ? two : one;
  });
}

function isSameReturn(one: Exchange, other: Exchange): boolean {
  return one.request.body?.text === other.request.body?.text;
}

function areBothConsumed(one: Exchange, two: Exchange): boolean {
  return statusOf(one) === 200 && statusOf(two) === 200 && !isRepeated(one, two);
}

/** Whether the first answer came again, regardless of the order of its members. */
function isRepeated(first: Exchange, again: Exchange): boolean {
  if (statusOf(again) !== 200) return false;
  const [one, two] = [first, again].map(({ response }) => response?.body);
  return one?.text === two?.text || isDeepStrictEqual(parseBody(one), parseBody(two));
}
