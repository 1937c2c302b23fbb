import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { errorTexts } from '../../harness/checks/error-text.ts';
import { inconclusive, notTested, pass, unexpected, violated } from '../../harness/checks/outcomes.ts';
import { refusedForKeyOrBody } from '../../harness/checks/refused-body.ts';
import { control, type Step, witness } from '../../harness/checks/step.ts';
import { hasStatus, isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe } from '../../spec/operation.ts';

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
    const accepted = withHeader.find(isOk);
    if (accepted !== undefined) return violated(requiredHeader(exchange, accepted));
    const refused = refusedForKeyOrBody(exchange, status === 400 || undisturbed.includes(exchange));
    if (refused !== undefined) return refused;
    if (status === 409 && !isSafe(operation) && !undisturbed.includes(exchange))
      return notTested('answered 409, perhaps because of a state that other calls caused');
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
        `answered 404 for a ${guessed} that the harness found and the target file does not give`,
        guessed === 'sessionId'
          ? 'captures: { sessionId: /<pointer to the id in the answer to a create> }'
          : `parameters: { ${operation.id}: { ${guessed}: <one that exists> } }`,
      );
    }
    const statement = `A valid call was not answered with 200 at ${operation.method} ${operation.path}`;
    return violated(unexpected(statement, '200', exchange));
  },
});

/** Names in a response that are tried as headers. */
const mostNames = 3;
/** Words joined by hyphens: what names a header, and seldom stands in a sentence. */
const nameOfHeader = /\b[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\b/g;

/** The header that a step added to a valid call. */
const headerRow = 'required header';

/** Repeats a refused valid call with each header that the response names, until one is accepted. */
async function addNamedHeaders(client: CaseClient, step: Step, refused: Exchange): Promise<void> {
  if (!hasStatus(refused, 400, 412, 428)) return;
  const sent = new Set(refused.request.headers.map(([name]) => name));
  const named = (errorTexts(refused) ?? []).flatMap((text) => text.match(nameOfHeader) ?? []);
  const names = [...new Set(named.map((name) => name.toLowerCase()))].filter((name) => !sent.has(name));
  for (const name of names.slice(0, mostNames)) {
    const value = /version/.test(name) ? '1.0.0' : String(await client.fill('{unique}'));
    const label = `valid call with the header ${name}`;
    const answer = await client.call(step, { label, row: { [headerRow]: name }, headers: { [name]: value } });
    if (isOk(answer)) return;
  }
}

/** The violation where a valid call is accepted only with a header that the contract does not declare. */
function requiredHeader(exchange: Exchange, accepted: Exchange): Violation {
  const name = String(accepted.row?.[headerRow]);
  return unexpected(`A header that the contract does not declare is required: ${name}`, '200', exchange, {
    kind: `header ${name}`,
    fix: `Make the header ${name} optional. The contract declares no header parameters, so its clients do not send it.`,
    relatedExchanges: [accepted],
  });
}
