import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ id: 'listPublicCategories', auth: 'none' }),
  passes: { '200 without credentials': [{ step: 'withoutKey', status: 200, credential: 'none' }] },
  violates: {
    '401 without credentials': [{ step: 'withoutKey', status: 401, credential: 'none' }],
    '404 without credentials but 200 with a key': [
      { step: 'withoutKey', status: 404, credential: 'none' },
      { step: 'withKey', status: 200 },
    ],
  },
  inconclusive: {
    '404 either way': [
      { step: 'withoutKey', status: 404, credential: 'none' },
      { step: 'withKey', status: 404 },
    ],
  },
};
