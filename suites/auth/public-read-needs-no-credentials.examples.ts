import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ id: 'listPublicCategories', auth: 'none' }),
  passes: { '200 without credentials': ['withoutKey 200 none'] },
  violates: {
    'found with a key, and a moment later without': ['withoutKey 404', 'withKey 200', 'withoutAgain 200'],
    '401 without credentials': ['withoutKey 401 none'],
    '404 without credentials but 200 with a key': ['withoutKey 404 none', 'withKey 200'],
  },
  inconclusive: { '404 either way': ['withoutKey 404 none', 'withKey 404'] },
};
