import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'refused with a good key in all other places': ['valid 200', 'misplaced 401 none'],
    'the misplaced keys are malformed, and a call without any is refused': [
      'valid 200',
      'misplaced 400 none',
      'onFreshConnection 401 none',
    ],
    'refused on both connections': [
      'valid 200',
      example('onSameConnection 401 none', { connection: 'reused' }),
      example('onFreshConnection 401 none', { connection: 'fresh' }),
    ],
  },
  violates: {
    'let in with a good key in another place': [
      'valid 200',
      'misplaced 200 none',
      'onFreshConnection 401 none',
    ],
    'let in on the connection that was authenticated': [
      'valid 200',
      example('onSameConnection 200 none', { connection: 'reused' }),
    ],
    'refused with 403': ['valid 200', 'onFreshConnection 403 none'],
    'let in though no valid call is known': ['onFreshConnection 200 none'],
  },
  inconclusive: { 'refused, but no valid call is known': ['onFreshConnection 401 none'] },
};
