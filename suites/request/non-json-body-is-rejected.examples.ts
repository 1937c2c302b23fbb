import type { Examples } from '../examples-for-tests.ts';
import { again, create, named } from './example-bodies-for-tests.ts';

const control = 'valid 200';

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, named('truncated', '400')] },
  violates: {
    'let in': [control, named('truncated', '200')],
    '422': [control, named('truncated', '422'), again('422', 200)],
    '500': [control, named('truncated', '500'), again('500', 200)],
    '404, as if the body had named something': [control, named('truncated', '404'), again('404', 200)],
    'no answer, and the valid call is answered again': [
      control,
      named('truncated', 'reset'),
      again('no answer (reset)', 200),
    ],
  },
  inconclusive: {
    '503, as is the valid call by now': [control, named('truncated', '503'), again('503', 503)],
    'refused, but so was the valid call': ['valid 404', named('truncated', '400')],
  },
};
