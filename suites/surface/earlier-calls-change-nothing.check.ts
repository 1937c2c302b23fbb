import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, type Step, witness } from '../../harness/checks/step.ts';
import { describeAnswer, isOk } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { labelOf } from '../../harness/requests/variation.ts';
import { isSafe } from '../../spec/operation.ts';
import { isExcludedQuery } from '../resource/path-values.ts';
import {
  callOf,
  callsAt,
  countAt,
  defectAfter,
  type EarlierCall,
  earlierThan,
  freshQuery,
  joinedCalls,
} from './earlier-calls.ts';

/** Milliseconds before each valid call that looks whether the service has recovered. */
const pauses: readonly number[] = [1_000, 2_000, 4_000];

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'SURFACE-1',
  title: 'a valid call is answered as usual, regardless of the call before it',
  applies: (operation) => countAt(operation) > 0,
  weight: () => 'medium',
  alone: (operation) => operation.requestSchema !== undefined,
  steps: {
    valid: control('valid call'),
    earlier: witness('another call before the valid one', { times: countAt }),
    after: probe('valid call after another call'),
    isolated: probe('valid call after fewer other calls', { followUp: true }),
    recovered: witness('valid call after a pause', { followUp: true }),
  },
  probe: async (client, steps, operation) => {
    const valid = await client.call(steps.valid);
    if (!isOk(valid)) return;
    const { keys, operations } = client;
    const random = client.random('earlier calls');
    const known = { valid, keys, operations, operation, random };
    // A read names what it named before, which is known everywhere by then.
    const same = isSafe(operation)
      ? { parameters: sentValues(valid), propagationDelayMs: 0, headers: { 'accept-encoding': 'identity' } }
      : {};
    // Whether an earlier call with a parameter that no operation knows was answered: a service may refuse it.
    let takesQuery = false;
    const isWrongAfter = async (calls: readonly EarlierCall[], step: Step): Promise<boolean> => {
      // A part of a target may keep something by the connection, or by the URL: no cache knows this one yet.
      const connection = client.openConnection();
      const fresh = isSafe(operation) ? { query: freshQuery(random) } : {};
      const send = async (some: readonly EarlierCall[]): Promise<Exchange> => {
        const sent = await client.call(steps.earlier, { connection, ...fresh, ...callOf(some, known) });
        takesQuery ||= isOk(sent) && sent.request.path.endsWith(`?${fresh.query}`);
        return sent;
      };
      // What is heeded hides what goes with it.
      for (const some of joinedCalls(calls))
        if (!isOk(await send(some)) && some.length > 1) for (const one of some) await send([one]);
      const label = `valid call after ${labelOf(calls)}`;
      const row = { earlier: calls.map(({ id }) => id) };
      const url = takesQuery ? fresh : {};
      const answer = await client.call(step, { ...same, ...url, label, row, connection, isOwn: true });
      return defectAfter(answer, operation, valid) !== undefined;
    };
    // What does not recover once is not waited for again.
    let isLost = false;
    const hasRecovered = async (): Promise<boolean> => {
      for (const pause of isLost ? [] : pauses) {
        await client.pause(pause);
        if (defectAfter(await client.call(steps.recovered, same), operation, valid) !== undefined) continue;
        return true;
      }
      isLost = true;
      return false;
    };
    const calls = callsAt(operation).filter(
      ({ changes }) => !client.hasExclusions || !isExcludedQuery(client, changes(known).query),
    );
    if (!(await isWrongAfter(calls, steps.after))) return;
    const isWrongAgain = async (some: readonly EarlierCall[]): Promise<boolean> =>
      (await hasRecovered()) && isWrongAfter(some, steps.isolated);
    const { input } = await client.fewest(calls, isWrongAgain);
    if (input.length === calls.length) await isWrongAgain(calls);
  },
  evaluate: ({ operation, steps: { valid, after, isolated, recovered } }) => {
    const [[first], [whole]] = [valid, after];
    if (first === undefined || !isOk(first)) return inconclusive('the valid call was not answered with 200');
    if (whole === undefined) return inconclusive('no call was sent before a valid one');
    const wrong = [...after, ...isolated].filter((one) => defectAfter(one, operation, first) !== undefined);
    const smallest = wrong.at(-1);
    if (smallest === undefined) return pass(`answered with 200 after ${countAt(operation)} other calls`);
    if (recovered.length > 0 && recovered.every((one) => !isOk(one)))
      return notTested(`the valid call was answered ${describeAnswer(smallest)}, and no longer with 200`);
    if (wrong.length === 1)
      return notTested(`the valid call was answered ${describeAnswer(smallest)}, but came once only`);
    return violated({
      statement: `A valid call was not answered as usual after ${earlierThan(smallest)}`,
      expected: '200, as before',
      actual: defectAfter(smallest, operation, first) ?? '',
      company: `after ${earlierThan(smallest)}`,
      fix: 'Look for something that the earlier call leaves behind: a cache that does not distinguish a GET from a HEAD, a range, a 304, a client with a key or another host, a buffer or lock that is not released, a ban of refused clients.',
      exchange: smallest,
    });
  },
});
