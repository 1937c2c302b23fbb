import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notApplicable, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';

/** More than the three, five or ten after which most guards against guessing lock a client out. */
const wrongKeys = 12;
/** Milliseconds before each further valid call: longer in total than most lockouts, as sessions are to be cancelled behind it. */
const pauses: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

export const check: ActiveCheck = activeCheck({
  // Any other call with a good key might begin the count anew.
  stage: 'slow',
  requirement: 'AUTH-4',
  title: 'a good key is accepted after a row of wrong ones, or the call is answered 429',
  applies: ({ role }) => role === 'identifies-key',
  weight: () => 'medium',
  steps: {
    valid: control('valid call', { isOwn: true }),
    wrong: witness('call with a wrong key, one after the other', { times: wrongKeys }),
    after: probe('valid call right after a row of wrong keys'),
    later: witness('valid call some seconds after the wrong keys', { followUp: true }),
  },
  probe: (client, steps) =>
    client.search(async () => {
      const { invalid, none } = client.keys;
      const send = { acceptThrottled: true, isOwn: true } as const;
      await client.call(steps.valid);
      for (let sent = 0; sent < client.times(steps.wrong); sent += 1)
        await client.call(steps.wrong, { ...send, credential: invalid[sent % invalid.length] ?? none });
      let answer = await client.call(steps.after, send);
      for (const pause of pauses) {
        if (isOk(answer)) return;
        await client.pause(pause);
        answer = await client.call(steps.later, send);
      }
    }),
  evaluate: ({ steps: { valid, wrong, after, later } }) => {
    const [[before], [exchange]] = [valid, after];
    if (before === undefined || !isOk(before))
      return inconclusive('the valid call was not answered with 200');
    if (exchange === undefined) return notTested('no valid call was sent after the wrong keys');
    const turnedAway = [...wrong, exchange].find((one) => hasStatus(one, 429) || isBlockedInFront(one));
    if (turnedAway !== undefined)
      return notApplicable(`a call after wrong keys was answered ${describeAnswer(turnedAway)}`);
    if (isOk(exchange)) return pass(`answered 200 after ${wrong.length} wrong keys in a row`);
    if (!hasStatus(exchange, 401, 403))
      return notTested(`the valid call after the wrong keys was answered ${describeAnswer(exchange)}`);
    const until = later.find(isOk);
    return violated({
      statement: `A good key was refused after ${wrong.length} wrong keys in a row`,
      expected: '200, or 429',
      actual: `${describeAnswer(exchange)}${until === undefined ? '' : ', and 200 some seconds later'}`,
      company: 'right after a row of wrong keys',
      fix: 'Answer 429 while a client is locked out for wrong keys, or count them by key and not by address: behind one address, the wrong key of one client refuses the good keys of all others, and 401 tells them to replace their keys.',
      exchange,
    });
  },
});
