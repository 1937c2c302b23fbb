import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, type Step, witness } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { swapCase } from '../../harness/requests/key-ring.ts';
import { unknownLike } from '../../harness/requests/mutate-preserving-shape.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { callAfterRefused, companyOf } from './crowd.ts';
import { isIssuedEachTime } from './issued-values.ts';

/** Calls under way at once, which show what fails only under concurrency: more than a small pool serves. */
const calls = 7;

const withParameters: StepPlan = { at: ({ pathParameters }) => pathParameters.length > 0 };

const steps = namedSteps({
  before: probe('valid call before one that finds nothing', withParameters),
  unknown: witness('call with the known value in other letters', withParameters),
  inCrowd: probe('valid call in a crowd', { times: (operation) => calls - othersAmong(operation) }),
  // What meets a valid call may be taken for it, or the valid call for what it meets; passive checks see the former.
  stranger: witness('call without credentials in a crowd', { at: needsKey }),
  refused: witness('call that is refused for its key', { at: mayFollowRefusal }),
  afterRefused: probe('valid call on the connection of a refused one', { at: mayFollowRefusal }),
  afterMiss: probe('valid call on the connection of one that finds nothing', withParameters),
  unknownInCrowd: witness('call with an unknown value in a crowd', withParameters),
});

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'SURFACE-1',
  title:
    'a valid read is answered every time, also in a crowd with wrong ones and after a read that found nothing',
  applies: (operation) => isSafe(operation) && !isIssuedEachTime(operation),
  needs: () => ['valid-call'],
  from: () => 'standard',
  steps,
  probe: async (client, operation) => {
    const [name] = operation.pathParameters.slice(-1);
    const known = name === undefined ? undefined : (await client.knownValue(name)).value;
    const unknown = known === undefined || name === undefined ? '' : unknownLike(known, client.random(name));
    // On an idle connection, a reset would say nothing.
    const send = (step: Step, changes: CallChanges = {}): Promise<Exchange> =>
      client.call(step, { connection: 'fresh', ...changes });
    const connection = client.openConnection();
    if (known !== undefined && name !== undefined) {
      await send(steps.before);
      const label = `call with another ${name}`;
      const parameters = { [name]: swapCase(known) === known ? unknown : swapCase(known) };
      await send(steps.unknown, { label, parameters, connection });
    }
    await Promise.all([
      send(steps.inCrowd),
      ...(mayFollowRefusal(operation) ? [callAfterRefused(client, steps)] : []),
      ...(needsKey(operation) ? [send(steps.stranger, { credential: client.keys.none })] : []),
      ...(name === undefined
        ? []
        : [
            send(steps.afterMiss, { connection }),
            send(steps.unknownInCrowd, { parameters: { [name]: unknown } }),
          ]),
      ...Array.from({ length: calls - othersAmong(operation) - 1 }, () => send(steps.inCrowd)),
    ]);
  },
  evaluate: ({ steps: { before, unknown, inCrowd, afterRefused, afterMiss, stranger, unknownInCrowd } }) => {
    // A target may close the connection of a refused call: only a refusal that stays with it says something.
    const stillRefused = [...afterRefused, ...afterMiss].filter((one) =>
      [400, 401, 403, 404].includes(statusOf(one) ?? 0),
    );
    const sent = [...before, ...inCrowd, ...stillRefused];
    const failed = sent.filter((exchange) => statusOf(exchange) !== 200);
    if (failed.length === sent.length) return notTested('the valid call was not answered with 200 even once');
    // The others meet the same trouble; a fresh connection is not closed for being idle.
    const dropped = [...unknown, ...stranger, ...unknownInCrowd].filter(
      ({ failure }) => failure?.kind === 'reset',
    );
    const crowd = [...inCrowd, ...stranger, ...unknownInCrowd];
    return violatedOr(
      [
        ...failed.map((exchange) => ({
          statement: 'A valid call was not answered with 200 every time',
          expected: '200',
          actual: describeAnswer(exchange),
          ...companyOf(exchange, crowd, { afterRefused, afterMiss }),
          exchange,
        })),
        ...dropped.map((exchange) => ({
          statement: 'A call beside valid ones was not answered',
          expected: 'an answer',
          actual: describeAnswer(exchange),
          ...companyOf(exchange, crowd),
          exchange,
        })),
      ].slice(0, 1),
      () => pass(`answered with 200 in ${inCrowd.length} of ${inCrowd.length} calls at once`),
    );
  },
});

export default check;

function needsKey({ auth }: Operation): boolean {
  return auth === 'api-key';
}

/** A public read of no resource meets no wrong values; in place of them, one follows a refusal. */
function mayFollowRefusal({ auth, pathParameters }: Operation): boolean {
  return auth === 'none' && pathParameters.length === 0;
}

/** Calls of the crowd that are not simply valid. */
function othersAmong(operation: Operation): number {
  if (mayFollowRefusal(operation)) return 2;
  return (needsKey(operation) ? 1 : 0) + (operation.pathParameters.length > 0 ? 2 : 0);
}
