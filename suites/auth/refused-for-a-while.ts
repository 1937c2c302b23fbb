import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { Step } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/** Milliseconds between calls with a good key that is refused: longer in all than lockouts that guard against guessing. */
const pauses: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Sees whether the good key is refused after invalid ones, and how long; sends nothing where no such call is planned. */
export async function callUntilAccepted(
  client: CaseClient,
  { after, later }: Readonly<Record<'after' | 'later', Step>>,
): Promise<void> {
  let [answer] = await client.repeat(after, { isOwn: true });
  for (const pause of pauses) {
    if (answer === undefined || statusOf(answer) !== 401) return;
    await client.pause(pause);
    answer = await client.call(later, { isOwn: true });
  }
}

/** The violation by a valid call that was refused though its key was accepted before and after. */
export function refusedForAWhile(exchange: Exchange): Violation {
  return {
    statement: 'A good key was refused for a while',
    expected: 'not 401, as before and after',
    actual: '401 for a while',
    clause: 'for-a-while',
    fix: 'Look for what makes the service refuse keys that it knows. A lockout after failed attempts must not refuse the good keys of the same address: remove it, or limit the attempts with 429. Otherwise look for instances that do not share the keys, and caches that keep a refusal.',
    exchange,
  };
}
