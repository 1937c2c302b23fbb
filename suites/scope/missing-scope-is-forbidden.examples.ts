import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

export const examples: Examples = {
  operation: exampleOperation({
    id: 'initiateHostedLogin',
    method: 'POST',
    group: 'hosted',
    scope: 'catalog:read',
  }),
  passes: { forbidden: [control, { step: 'withoutScope', status: 403, credential: 'unscoped' }] },
  violates: {
    'let in': [control, { step: 'withoutScope', status: 200, credential: 'unscoped' }],
    'answered 401 though the key is good': [
      control,
      { step: 'withoutScope', status: 401, credential: 'unscoped' },
      { step: 'elsewhere', status: 200, credential: 'unscoped' },
    ],
  },
  inconclusive: {
    'the key is no good anywhere': [
      control,
      { step: 'withoutScope', status: 401, credential: 'unscoped' },
      { step: 'elsewhere', status: 401, credential: 'unscoped' },
    ],
    'forbidden, but so is the key with the scope': [
      { step: 'valid', status: 403 },
      { step: 'withoutScope', status: 403, credential: 'unscoped' },
    ],
  },
};
