import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { sentExample } from '../examples-for-tests.ts';

const roundSteps = ['firstRound', 'secondRound', 'lastRound'];

const read = exampleOperation({
  role: 'reads-session',
  pathParameters: ['sessionId'],
  takesIssued: ['sessionId'],
});

const consume = exampleOperation({ role: 'consumes-login', method: 'POST' });

const control = exampleExchange({ step: 'valid', status: 200 });

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

function answered(round: number, ...statuses: readonly number[]): readonly Exchange[] {
  const step = roundSteps[round - 1] ?? '';
  return statuses.map((status) => exampleExchange({ step, status }));
}

function looked(status: number): Exchange {
  return exampleExchange({ step: 'looking', status });
}

function returned(login: number, status: number): Exchange {
  return sentExample({ step: 'lastRound', status }, `{"state":"state-${login}"}`);
}
