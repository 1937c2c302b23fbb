import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notApplicable, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { witness } from '../../harness/checks/step.ts';
import { describeAnswer, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { pageByTurns } from '../../harness/results/causes/cause-fixes.ts';
import { isSafe } from '../../spec/operation.ts';

/** Calls of an operation that answers each with a page under 403, or with 200. */
const mostCalls = 12;
/** Milliseconds before each: a limit that is reached at this rate would leave no run time to end. */
const pauseMs = 250;

export const check: ActiveCheck = activeCheck({
  stage: 'slow',
  requirement: 'SURFACE-1',
  title: 'a valid call that is sent alone and slowly is not answered with a page under 403 by turns',
  applies: (operation) => isSafe(operation) && operation.takesIssued === undefined,
  steps: { lone: witness('valid call alone', { followUp: true }) },
  // Only of an operation that has answered so: a limit or a ban would end while nothing else is sent.
  probe: (client, { lone }, operation) =>
    client.search(async () => {
      const sent: Exchange[] = [];
      const most = client.mayBlockLoneCalls(operation) ? mostCalls : 0;
      while (sent.length < most && blockedByTurns(sent) === undefined) {
        await client.pause(pauseMs);
        sent.push(await client.call(lone, { acceptThrottled: true, connection: 'fresh' }));
      }
    }),
  evaluate: ({ steps: { lone } }) => {
    if (lone.length === 0) return notApplicable('no valid call was answered with a page under 403');
    const exchange = blockedByTurns(lone);
    if (exchange !== undefined)
      return violated({
        statement: 'A valid call was answered with a page under 403, right between others that were answered',
        expected: '200',
        actual: describeAnswer(exchange),
        deviation: pageByTurns,
        fix: 'Look for one of several instances, proxies or nodes of a firewall that has other rules than the rest: neither the contents of the call nor the number of calls can be the reason.',
        exchange,
      });
    // A ban that ends says nothing of what comes after it.
    return lone.some(isOk) && lone.slice(lone.findIndex(isOk)).every(isOk)
      ? pass(`answered ${lone.filter(isOk).length} of ${lone.length} calls that were sent alone and slowly`)
      : notTested('calls that were sent alone and slowly were not answered by turns, but for a while');
  },
});

/** A blocked call between others that were answered. */
function blockedByTurns(sent: readonly Exchange[]): Exchange | undefined {
  return sent.slice(sent.findIndex(isOk), sent.findLastIndex(isOk)).find((one) => isBlockedInFront(one));
}
