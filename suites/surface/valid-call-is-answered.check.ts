import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { refusedForKeyOrBody } from '../../harness/checks/refused-body.ts';
import { control, witness } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { isSafe } from '../../spec/operation.ts';
import { addNamedHeaders, requiredHeader } from './required-header.ts';

/** Milliseconds before each attempt at creating the first session of a run. */
const pauses = [0, 200, 400];

export const check: ActiveCheck = activeCheck({
  requirement: 'SURFACE-1',
  title: 'a valid call at the operation’s method and path is answered with 200',
  applies: () => true,
  alone: (operation) => !isSafe(operation),
  steps: {
    valid: control('valid call'),
    // A target may allow one open session; but before the first one, nothing conflicts.
    undisturbed: control('valid call, no session having been opened', { followUp: true }),
    withHeader: witness('valid call with a header that the response names', { followUp: true }),
  },
  probe: async (client, steps, operation) => {
    for (const pause of pauses) {
      await client.pause(pause);
      const isFirst = operation.role === 'creates-session' && !client.hasOpenedSessions;
      const exchange = await client.call(isFirst ? steps.undisturbed : steps.valid, { persistent: true });
      await addNamedHeaders(client, steps.withHeader, exchange);
      if (statusOf(exchange) !== 409 || !isFirst) return;
    }
  },
  evaluate: ({ operation, steps: { valid, undisturbed, withHeader } }) => {
    const exchange = [...undisturbed, ...valid].at(-1);
    if (exchange === undefined) return inconclusive('no valid call was sent');
    const status = statusOf(exchange);
    if (status === 200) return pass('answered with 200');
    const [required] = requiredHeader(exchange, withHeader);
    if (required !== undefined) return violated(required);
    const refused = refusedForKeyOrBody(exchange, status === 400 || undisturbed.includes(exchange));
    if (refused !== undefined) return refused;
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
