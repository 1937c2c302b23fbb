import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const refused = 'withoutScope 401 unscoped';

export const examples: Examples = {
  operation: exampleOperation({
    id: 'initiateHostedLogin',
    method: 'POST',
    group: 'hosted',
    scope: 'catalog:read',
  }),
  passes: { forbidden: ['valid 200', 'withoutScope 403 unscoped'] },
  violates: {
    'let in': ['valid 200', 'withoutScope 200 unscoped'],
    'answered 401 though the key is good': ['valid 200', refused, 'elsewhere 200 unscoped'],
  },
  inconclusive: {
    'the key is no good anywhere': ['valid 200', refused, 'elsewhere 401 unscoped'],
    'forbidden, but so is the key with the scope': ['valid 403', 'withoutScope 403 unscoped'],
  },
};
