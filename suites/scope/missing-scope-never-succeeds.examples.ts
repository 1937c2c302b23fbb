import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  operation: exampleOperation({ scope: 'catalog:read' }),
  passes: {
    '403': { status: 403, credential: 'unscoped' },
    '404': { status: 404, credential: 'unscoped' },
  },
  violates: { '200': { status: 200, credential: 'unscoped' } },
  ignores: {
    'a good key': { status: 200, credential: 'scoped' },
    'no answer': { credential: 'unscoped' },
  },
};
