import { type Examples, example } from '../examples-for-tests.ts';
import { again, create, named } from './example-bodies-for-tests.ts';

const control = 'valid 200';

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, named('none', '400'), named('none', '400')] },
  violates: {
    'let in': [control, named('none', '400'), named('none', '200')],
    'let in though no valid call is known': [named('none', '200')],
    '411, and the valid call is still answered': [control, named('none', '411'), again('411', 200)],
  },
  inconclusive: {
    '409, as is the valid call by now': [control, named('none', '409'), again('409', 409)],
    'refused, but so was the valid call': ['valid 400', named('none', '400')],
    'refused, but no valid call is known': [named('none', '400')],
    'a firewall refused the query, and no other call was sent': [
      control,
      example('value 403', {
        row: { body: 'empty', query: 'merchant=a' },
        contentType: 'text/html',
        body: '<html><body>Forbidden</body></html>',
      }),
    ],
    'nothing was sent': [],
  },
};
