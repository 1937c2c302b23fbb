import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../../harness/checks/examples.ts';
import { sentExample } from '../../harness/checks/sent-example.ts';
import type { Exchange } from '../../harness/model/exchange.ts';

/**
 * Milliseconds before the calls of each round. There is another round only where something was not known in the one
 * before: the parts of a target may need a moment until all of them know it.
 */
const rounds = [0, 1_500, 3_000];

const lastRound = roundLabel(rounds.length);

const looking = 'is the session still there?';

const read = exampleOperation({ id: 'getHostedCheckoutSession', pathParameters: ['sessionId'] });

const consume = exampleOperation({ id: 'consumeHostedLoginReturn', method: 'POST' });

const control = exampleExchange({ role: 'control', status: 200 });

/** Examples of surface/issued-values-stay-known. */
export const examples: Examples = {
  passes: [
    {
      name: 'a session is found each time',
      given: { operation: read, exchanges: [control, ...answered(1, 200, 200)] },
    },
    {
      name: 'a session is not found everywhere at first',
      given: { operation: read, exchanges: [control, ...answered(1, 404, 200), ...answered(2, 200, 200)] },
    },
    {
      name: 'the login that was returned is issued again',
      given: { operation: consume, exchanges: [returned(1, 200), returned(2, 200), returned(2, 404)] },
    },
    {
      name: 'a login conflicts with one that is under way',
      given: { operation: consume, exchanges: [returned(1, 409), returned(2, 200)] },
    },
  ],
  violates: [
    {
      name: 'a session is not found now and then, for seconds',
      given: {
        operation: read,
        exchanges: [control, ...answered(1, 404, 200), ...answered(3, 404, 200), looked(404), looked(200)],
      },
    },
    {
      name: 'a session cannot be read now and then',
      given: { operation: read, exchanges: [control, ...answered(1, 500, 200)] },
    },
    {
      name: 'every other login is not known, however long ago it was issued',
      given: { operation: consume, exchanges: [returned(1, 200), returned(2, 404), returned(3, 200)] },
    },
  ],
  inconclusive: [
    {
      name: 'a session is gone in the end',
      given: {
        operation: read,
        exchanges: [control, ...answered(1, 404, 200), ...answered(3, 200, 404), looked(404)],
      },
    },
    {
      name: 'a session is not found at first, and it was not looked for again',
      given: { operation: read, exchanges: [control, ...answered(1, 404, 200)] },
    },
    { name: 'never 200', given: { operation: read, exchanges: [looked(404)] } },
  ],
};

function roundLabel(round: number): string {
  return round === 1 ? 'valid call once more' : `valid call once more, in round ${round}`;
}

function answered(round: number, ...statuses: readonly number[]): readonly Exchange[] {
  return statuses.map((status) => exampleExchange({ status, label: roundLabel(round) }));
}

function looked(status: number): Exchange {
  return exampleExchange({ role: 'witness', status, label: looking });
}

function returned(login: number, status: number): Exchange {
  return sentExample({ status, label: lastRound }, `{"state":"state-${login}"}`);
}
