import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const row = { earlier: ['head', 'range'] };
const after = (status: number): Exchange => example(`after ${status}`, { row });
const empty = example('after 200', { row, body: '' });

export const examples: Examples = {
  passes: {
    'as before': ['valid 200', after(200)],
  },
  violates: {
    'not modified, unasked': ['valid 200', after(304), after(304)],
    'an empty page': ['valid 200', empty, empty],
    'a conflict of a read': ['valid 200', after(409), after(409)],
  },
  inconclusive: {
    'the valid call fails anyway': ['valid 404'],
    'it came once only': ['valid 200', after(404), after(200)],
    'nothing came before': ['valid 200'],
    'it fails for good': ['valid 200', after(404), 'recovered 404'],
  },
};
