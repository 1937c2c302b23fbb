import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, type StepLimits, witness } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isIssuedEachTime } from './issued-values.ts';

/** Calls under way at once, which show what fails only under concurrency. */
const calls = 8;

const onceWithParameters: StepLimits = {
  most: ({ pathParameters }) => Math.min(1, pathParameters.length),
};

const steps = namedSteps({
  before: probe('valid call before one that finds nothing', onceWithParameters),
  unknown: witness('call with an unknown value', onceWithParameters),
  inCrowd: probe('valid call in a crowd', { most: calls }),
});

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'SURFACE-1',
  title: 'a valid read is answered every time, also in a crowd and after a read that found nothing',
  applies: (operation) => isSafe(operation) && !isIssuedEachTime(operation),
  needs: () => ['valid-call'],
  leastProfile: () => 'standard',
  steps,
  probe: async (client, operation) => {
    await callUnknown(client, operation);
    // On an idle connection, a reset would say nothing.
    const send = (): Promise<Exchange> => client.call(steps.inCrowd, { connection: 'fresh' });
    await Promise.all(Array.from({ length: calls }, send));
  },
  evaluate: ({ steps: { before, inCrowd } }) => {
    const sent = [...before, ...inCrowd];
    const failed = sent.filter((exchange) => statusOf(exchange) !== 200);
    if (failed.length === sent.length)
      return inconclusive('the valid call was not answered with 200 even once');
    return violatedOr(
      failed.slice(0, 1).map((exchange) => ({
        statement: 'A valid call was not answered with 200 every time',
        expected: '200',
        actual: describeAnswer(exchange),
        exchange,
      })),
      () => pass(`answered with 200 in ${inCrowd.length} of ${inCrowd.length} calls at once`),
    );
  },
});

export default check;

/** A call that finds nothing: a target that caches its answer by mistake returns it to the next client. */
async function callUnknown(client: CaseClient, { pathParameters }: Operation): Promise<void> {
  const name = pathParameters.at(-1);
  if (name === undefined) return;
  await client.call(steps.before);
  const { value } = await client.knownValue(name);
  const parameters = { [name]: unknownLike(value, client.random(name)) };
  await client.call(steps.unknown, { label: `call with an unknown ${name}`, parameters });
}
