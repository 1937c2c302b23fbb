import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { bodyOf } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isOk } from '../../harness/evidence/answer.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { untilLate } from '../surface/late-calls.ts';
import { isRefused, wronglyRepeated } from './wrong-returns.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-2',
  title: 'a return that was consumed early in the run is refused late in it',
  applies: ({ role }) => role === 'consumes-login',
  isLasting: true,
  weight: () => 'medium',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    first: control('consumes a return', { isOwn: true }),
    again: probe('consumes the same return again'),
    late: probe('consumes the same return late in the run'),
    // It may have expired; passive checks see what breaks then.
    waiting: witness('consumes a return late, for the first time'),
  },
  probe: async (client, steps) => {
    const [body, waiting] = await client.sharing(async () => {
      const first = await client.call(steps.first);
      const consumed = bodyOf(first);
      if (!isOk(first) || consumed === undefined) return [];
      await client.call(steps.again, { body: consumed });
      return [consumed, jsonBody(await client.validBody())];
    });
    if (body === undefined || waiting === undefined) return;
    await untilLate(client);
    await client.call(steps.late, { body, propagationDelayMs: 0 });
    await client.call(steps.waiting, { body: waiting, propagationDelayMs: 0 });
  },
  evaluate: ({ steps: { first, again, late } }) => {
    const [[consumed], [refused], [exchange]] = [first, again, late];
    if (consumed === undefined || exchange === undefined)
      return inconclusive('no return was consumed, or its body was not recorded as it was sent');
    const [repeated] = wronglyRepeated(consumed, again);
    if (repeated !== undefined) return violated({ ...repeated, relatedExchanges: [consumed] });
    if (refused === undefined || !isRefused(refused))
      return notTested('the first answer was repeated, which is allowed for a short time');
    if (!isOk(exchange)) return pass(`refused with ${describeAnswer(exchange)} late in the run`);
    return violated({
      statement: 'A consumed return was accepted again some seconds later',
      expected: `${describeAnswer(refused)}, as right after it was consumed`,
      actual: describeAnswer(exchange),
      fix: 'Remember that a return was consumed for as long as its login exists: a separate marker may expire before the login does.',
      exchange,
    });
  },
});
