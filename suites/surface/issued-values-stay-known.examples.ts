import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const consume = exampleOperation({ role: 'consumes-login', method: 'POST' });

export const examples: Examples = {
  operation: exampleOperation({
    role: 'reads-session',
    pathParameters: ['sessionId'],
    takesIssued: ['sessionId'],
  }),
  passes: {
    'a session is found each time': ['valid 200', 'firstRound 200', 'firstRound 200'],
    'a session is not found everywhere at first': [
      ...['valid 200', 'firstRound 404', 'firstRound 200'],
      ...['secondRound 200', 'secondRound 200'],
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
      ...['valid 200', 'firstRound 404', 'firstRound 200', 'lastRound 404', 'lastRound 200'],
      ...['looking 404', 'looking 200'],
    ],
    'a session cannot be read now and then': ['valid 200', 'firstRound 500', 'firstRound 200'],
    'every other login is not known, however long ago it was issued': {
      operation: consume,
      exchanges: [returned(1, 200), returned(2, 404), returned(3, 200)],
    },
  },
  inconclusive: {
    'a session is gone in the end': [
      ...['valid 200', 'firstRound 404', 'firstRound 200', 'lastRound 200', 'lastRound 404', 'looking 404'],
    ],
    'a session is not found at first, and it was not looked for again': [
      ...['valid 200', 'firstRound 404', 'firstRound 200'],
    ],
    'never 200': ['looking 404'],
  },
};

function returned(login: number, status: number): Exchange {
  return example(`lastRound ${status}`, { sent: `{"state":"state-${login}"}` });
}
