import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: { 'answered as before': ['valid 200', 'wrong 401', 'after 200'] },
  violates: {
    'the good key is refused': ['valid 200', 'wrong 401', 'after 401', 'later 200'],
    'it is refused with another status': ['valid 200', 'wrong 401', 'after 403'],
  },
  inconclusive: {
    'the valid call fails anyway': ['valid 500', 'wrong 401', 'after 401'],
    'another failure': ['valid 200', 'wrong 401', 'after 500'],
    'nothing followed': ['valid 200', 'wrong 401'],
  },
  notApplicable: {
    'a limiter told so': ['valid 200', 'wrong 401', 'wrong 429', 'after 401'],
    'a firewall bans the client': ['valid 200', 'wrong 401', example('after 403', { body: '<html>' })],
  },
};
