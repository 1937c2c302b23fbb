import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { notTested } from '../../harness/checks/not-tested.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

const operation = exampleOperation({
  id: 'consumeHostedLoginReturn',
  method: 'POST',
  group: 'hosted',
  scope: 'catalog:read',
});

/** Milliseconds after which an answer that was only repeated is asked for once more. */
const pause = 1000;

const refusals = [400, 401, 403, 404, 409];

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'LOGIN-2',
  title: 'a login return that was consumed is refused the next time',
  applies: ({ id }) => id === operation.id,
  needs: () => ['scoped-key', 'valid-call'],
  requests: () => 3,
  probe: (client) =>
    client.inTurn(async () => {
      const control = await client.call({ role: 'control', label: 'consumes a return' });
      const sent = sentBody(control);
      if (statusOf(control) !== 200 || sent === undefined) return;
      const body = { bytes: Buffer.from(sent.text), contentType: 'application/json' };
      const again = await client.call({ role: 'probe', label: 'consumes the same return again', body });
      if (!isRepeated(control, again)) return;
      await sleep(pause);
      await client.call({ role: 'probe', label: 'consumes the same return again after a pause', body });
    }),
  evaluate: ({ exchanges }) => {
    const control = exchanges.find(({ role }) => role === 'control');
    const probes = exchanges.filter(({ role }) => role === 'probe');
    const last = probes.at(-1);
    if (control === undefined) return inconclusive('no return was consumed');
    if (statusOf(control) !== 200)
      return notTested(`the return was answered ${describeAnswer(control)} the first time already`);
    if (last === undefined)
      return inconclusive('the body of the return was not recorded as it was sent, as it holds a secret');
    const wrong = probes.find(
      (probe) => !refusals.includes(statusOf(probe) ?? 0) && !isRepeated(control, probe),
    );
    if (wrong === undefined && isRepeated(control, last))
      return inconclusive(
        'the first answer was repeated unchanged, which is lawful for a short time, so it cannot be told whether the return was consumed',
      );
    return violatedOr(
      wrong === undefined
        ? []
        : [
            {
              statement: 'the return of a login is consumed once',
              expected: 'one of 400, 401, 403, 404 and 409, or the first answer unchanged for a short time',
              actual: statusOf(wrong) === 200 ? '200 with another body' : describeAnswer(wrong),
              exchange: wrong,
            },
          ],
      () => pass(`consumed with 200, the next time refused with ${describeAnswer(last)}`),
    );
  },
};

export default check;

/** Whether the first answer came again, the order of its members left aside. */
function isRepeated(control: Exchange, again: Exchange): boolean {
  if (statusOf(again) !== 200) return false;
  const [one, two] = [control, again].map(({ response }) => response?.body);
  return one?.text === two?.text || isDeepStrictEqual(parseBody(one), parseBody(two));
}
