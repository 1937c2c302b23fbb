import { type Examples, example } from '../examples-for-tests.ts';

const control = 'valid 200 scoped';
const page = example('together 200 none', { body: '<p>', row: { way: ['semicolon'], route: 'other' } });

export const examples: Examples = {
  passes: {
    '401': [control, 'together 401 none'],
    '400, as a key in a URL is a mistake': [control, 'together 400 none', 'together 401 none'],
    'the Idempotency-Key of another client is a conflict': [
      control,
      'together 401 none',
      'replayed 409 none',
    ],
  },
  violates: {
    'an answer is kept by its Idempotency-Key': [control, 'together 401 none', 'replayed 200 none'],
    'a key in the query is accepted': [
      control,
      'together 200 none',
      'bare 401 none',
      'single 401 none',
      'single 200 none',
    ],
  },
  inconclusive: {
    'no key is needed at all': [control, 'together 200 none', 'bare 200 none'],
    'the valid call is refused too': ['valid 401', 'together 401 none'],
    'each way is refused in itself': [control, 'together 400 none', 'together 431 none'],
    'another route answers with a page, and no valid call is known': ['together 401 none', page],
    'nothing was sent': [],
  },
};
