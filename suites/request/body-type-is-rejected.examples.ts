import type { Examples } from '../examples-for-tests.ts';
import { again, create, named, sent } from './example-bodies-for-tests.ts';

const control = sent('valid 200', '{"merchant":"atelier-nord"}');

export const examples: Examples = {
  operation: create,
  passes: { 'refused with 400': [control, named('null', '400')] },
  violates: {
    'let in': [control, named('null', '200')],
    '500, as where a member of null is read': [control, named('null', '500'), again('500', 200)],
  },
  inconclusive: {
    'no valid body is known': [],
    '409, as is the valid call by now': [control, named('null', '409'), again('409', 409)],
  },
  notApplicable: { 'the valid body is an array': [sent('valid 200', '[{"merchant":"atelier-nord"}]')] },
};
