import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { refusedBodyIn } from '../../harness/checks/refused-body.ts';
import { control, namedSteps, witness } from '../../harness/checks/step.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { callSomethingElse, callsBetween, isUnknown } from './issued-values.ts';
import { addNamedHeaders, requiredHeader } from './required-header.ts';

/** Milliseconds that a target gets to make an issued value known, where it refused the value at once. */
const propagationTimes = [500, 1500];
/** Milliseconds before each attempt at creating the first session of a run. */
const pauses = [0, 200, 400];

const steps = namedSteps({
  valid: control('valid call'),
  // A target may allow one open session; but before the first one, nothing conflicts.
  undisturbed: control('valid call, no session having been opened', { followUp: true }),
  afterDelay: control('valid call, some time after what it rests on', { followUp: true }),
  withHeader: witness('valid call with a header that the response names', { followUp: true }),
  atOnce: witness('valid call at once', { followUp: true }),
  between: witness('something else in between', { followUp: true }),
});

export const check: ActiveCheck = activeCheck({
  requirement: 'SURFACE-1',
  title: 'a valid call at the operation’s method and path is answered with 200',
  applies: () => true,
  alone: (operation) => !isSafe(operation),
  steps,
  probe: async (client, operation) => {
    for (const pause of pauses) {
      await client.pause(pause);
      const isFirst = operation.role === 'creates-session' && !client.hasOpenedSessions;
      const exchange = await client.call(isFirst ? steps.undisturbed : steps.valid, { persistent: true });
      // What another call has just issued, a target may not know everywhere at once.
      const isIssued = operation.role === 'ends-session' || operation.role === 'consumes-login';
      if (isIssued && isUnknown(exchange)) await measurePropagation(client, operation);
      await addNamedHeaders(client, steps.withHeader, exchange);
      if (statusOf(exchange) !== 409 || !isFirst) return;
    }
  },
  evaluate: ({ operation, steps: { valid, undisturbed, afterDelay, withHeader } }) => {
    const exchange = [...undisturbed, ...valid, ...afterDelay].at(-1);
    if (exchange === undefined) return inconclusive('no valid call was sent');
    const status = statusOf(exchange);
    if (status === 200) return pass('answered with 200');
    if (status === 401 || status === 403)
      return inconclusive(`the call was refused with ${status}, which the checks of keys and scopes test`);
    const [required] = requiredHeader(exchange, withHeader);
    if (required !== undefined) return violated(required);
    const refused = refusedBodyIn([exchange]);
    if (refused !== undefined && (status === 400 || undisturbed.includes(exchange)))
      return inconclusive(refused.reason, refused.remedy);
    if (status === 409 && !isSafe(operation) && !undisturbed.includes(exchange))
      return notTested('answered 409, which a state that other calls brought about may explain');
    if (status === 400 && operation.queryNotShown === true && !exchange.request.path.includes('?')) {
      return inconclusive(
        'answered 400 to a call without query parameters, which the contract does not show',
        `query: { ${operation.id}: { <name>: <value> } }`,
      );
    }
    const values = Object.entries(exchange.request.values);
    const [guessed] = values.find(([, { source }]) => source === 'discovered') ?? [];
    if (guessed !== undefined && status === 404) {
      return inconclusive(
        `answered 404 for a ${guessed} that was only found, not given`,
        guessed === 'sessionId'
          ? 'captures: { sessionId: /<pointer to the id in the answer to a create> }'
          : `parameters: { ${operation.id}: { ${guessed}: <one that exists> } }`,
      );
    }
    const statement = `A valid call was not answered with 200 at ${operation.method} ${operation.path}`;
    return violated(unexpected(statement, '200', exchange));
  },
});

/** Finds out how long the target takes to know what it issued. */
async function measurePropagation(client: CaseClient, operation: Operation): Promise<void> {
  for (const propagationDelayMs of propagationTimes) {
    const label = `valid call, ${propagationDelayMs} ms after what it rests on`;
    const exchange = await client.call(steps.afterDelay, { label, propagationDelayMs });
    if (isOk(exchange) && (await isRefusedAtOnce(client, operation)))
      client.propagationTook(propagationDelayMs);
    if (!isUnknown(exchange)) return;
  }
}

/** Whether the time makes the difference: one of several replicas refuses now and then, not each time. */
async function isRefusedAtOnce(client: CaseClient, operation: Operation): Promise<boolean> {
  for (const calls of callsBetween) {
    const issued: CallChanges = operation.pathParameters.includes('sessionId')
      ? { parameters: { sessionId: String(await client.capture('sessionId')) } }
      : { body: jsonBody(await client.validBody()) };
    await callSomethingElse(client, steps.between, calls);
    if (!isUnknown(await client.call(steps.atOnce, issued))) return false;
  }
  return true;
}
