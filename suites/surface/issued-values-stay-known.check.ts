import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, isBlockedInFront, isOk } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { foundAtTimes } from '../../harness/results/causes/cause-fixes.ts';
import { isSafe } from '../../spec/operation.ts';
import {
  callsBetweenAt,
  consumeInTurn,
  isIssuedEachTime,
  issuedCalls,
  isUnknown,
  lookAgain,
  mayBeSpent,
} from './issued-values.ts';

const steps = namedSteps({
  // A session of another case may have reached every replica by now.
  valid: control('valid call', { isOwn: { weight: 'medium' } }),
  firstRound: probe('valid call once more', { times: issuedCalls, strength: 'part' }),
  secondRound: probe('valid call once more, in round 2', { followUp: true }),
  lastRound: probe('valid call once more, in round 3', { followUp: true }),
  between: witness('something else in between', {
    times: Array.from({ length: issuedCalls }, (_, at) => callsBetweenAt(at)).reduce((sum, one) => sum + one),
    at: (operation) => !isSafe(operation),
  }),
  looking: witness('is the session still there?', { at: isSafe }),
});

/** Rounds after the first follow only an unknown value: replicas may need a moment until all of them know it. */
const rounds: ReadonlyArray<readonly [step: Step, pauseMs: number]> = [
  [steps.firstRound, 0],
  [steps.secondRound, 1_500],
  [steps.lastRound, 3_000],
];

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'SURFACE-1',
  title: 'an issued session or login is recognized by every call that uses it',
  applies: isIssuedEachTime,
  alone: (operation) => !isSafe(operation),
  weight: (operation) => (isSafe(operation) ? 'high' : 'medium'),
  steps,
  probe: async (client, _steps, operation) => {
    const isRead = isSafe(operation);
    const first = await client.call(steps.valid);
    if (!isOk(first) && (isRead || !isUnknown(first))) return;
    for (const [step, pauseMs] of rounds) {
      const read = (): Promise<Exchange> =>
        client.call(step, {
          propagationDelayMs: pauseMs,
          connection: 'fresh',
          parameters: sentValues(first),
        });
      if (isRead) await client.pause(pauseMs);
      const answers = isRead
        ? await Promise.all(Array.from({ length: client.times(steps.firstRound) }, read))
        : await consumeInTurn(client, first, { step, between: steps.between, pauseMs });
      // Nobody waits longer for a value that was not known once, a while after it was issued.
      if (!answers.some(isUnknown) || (pauseMs > 0 && answers.every(isUnknown) && isUnknown(first))) return;
    }
    if (isRead) await lookAgain(client, steps.looking, first);
  },
  evaluate: ({ operation, steps }) => {
    const { valid, firstRound, secondRound, lastRound, looking } = steps;
    // A limiter in front that knows no 429 may block a crowd.
    const probes = [...firstRound, ...secondRound, ...lastRound].filter((one) => !isBlockedInFront(one));
    if (probes.length === 0) return inconclusive('the valid call was not answered with 200');
    const taken = [...valid, ...probes];
    const final = [lastRound, secondRound, firstRound].find((round) => round.length > 0) ?? [];
    const lost = final.filter(
      (one) => isUnknown(one) && !mayBeSpent(one, taken.slice(0, taken.indexOf(one))),
    );
    const later = isSafe(operation) ? looking : lastRound;
    const isStillKnown = later.some(isOk);
    const broken = probes.filter((one) => !hasStatus(one, 200, 400, 404, 409));
    const statement = 'An issued value was not recognized every time';
    const expected = '200 every time';
    const [wrong] = broken;
    if (wrong !== undefined) {
      const company = isSafe(operation) ? { company: 'with several reads of it under way' } : {};
      return violated(unexpected(statement, expected, wrong, company));
    }
    const [first] = lost;
    if (first === undefined) return pass(`recognized in the end, in ${probes.length} calls`);
    const answer = describeAnswer(first);
    if (!isStillKnown || final !== lastRound)
      return notTested(`an issued value was answered ${answer}, and was not recognized afterwards`);
    const actual = `${answer} to some calls and 200 to others, seconds after it was issued`;
    const fix =
      'Look for instances or shards that do not share the store of issued values, or for one whose missing reply is treated as an empty one.';
    return violated({ statement, expected, actual, fix, deviation: foundAtTimes, exchange: first });
  },
});
