import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';

const roundSteps = ['firstRound', 'secondRound', 'lastRound'];

const consume = exampleOperation({ role: 'consumes-login', method: 'POST' });

const control = exampleExchange({ step: 'valid', status: 200 });

export const examples: Examples = {
  operation: exampleOperation({
    role: 'reads-session',
    pathParameters: ['sessionId'],
    takesIssued: ['sessionId'],
  }),
  passes: {
    'a session is found each time': [control, ...answered(1, 200, 200)],
    'a session is not found everywhere at first': [
      control,
      ...answered(1, 404, 200),
      ...answered(2, 200, 200),
    ],
    'the login that was returned is issued again': {
      operation: consume,
      exchanges: [returned(1, 200), returned(2, 200), returned(2, 404)],
    },
    'a login conflicts with one that is under way': {
      operation: consume,
      exchanges: [returned(1, 409), returned(2, 200)],
    },
  },
  violates: {
    'a session is not found now and then, for seconds': [
      control,
      ...answered(1, 404, 200),
      ...answered(3, 404, 200),
      looked(404),
      looked(200),
    ],
    'a session cannot be read now and then': [control, ...answered(1, 500, 200)],
    'every other login is not known, however long ago it was issued': {
      operation: consume,
      exchanges: [returned(1, 200), returned(2, 404), returned(3, 200)],
    },
  },
  inconclusive: {
    'a session is gone in the end': [
      control,
      ...answered(1, 404, 200),
      ...answered(3, 200, 404),
      looked(404),
    ],
    'a session is not found at first, and it was not looked for again': [control, ...answered(1, 404, 200)],
    'never 200': [looked(404)],
  },
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
