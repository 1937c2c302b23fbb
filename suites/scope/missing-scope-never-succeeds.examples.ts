import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { PassiveExamples } from '../examples-for-tests.ts';

export const examples: PassiveExamples = {
  operation: exampleOperation({ scope: 'catalog:read' }),
  passes: { '403': '403 unscoped', '404': '404 unscoped' },
  violates: { '200': '200 unscoped' },
  ignores: { 'a good key': '200 scoped', 'no answer': 'unscoped' },
};
