import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { 'answered as usual': ['rested 200'] },
  violates: {
    'the next call only': ['rested 500', 'again 200'],
    'one of several at once': ['rested 200', 'beside 409', 'again 200'],
  },
  inconclusive: {
    'nothing was sent': [],
    'blocked by a firewall': [example('rested 403', { body: '<html>' })],
    'no call is answered any more': ['rested 500', 'again 500'],
  },
};
