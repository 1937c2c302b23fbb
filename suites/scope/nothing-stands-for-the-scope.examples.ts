import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const control = 'valid 200 scoped';

export const examples: Examples = {
  operation: exampleOperation({ scope: 'catalog:read' }),
  passes: {
    refused: [control, 'together 403 unscoped'],
    'one way is refused in itself': [
      control,
      'together 400 unscoped',
      'together 400 unscoped',
      'together 403 unscoped',
    ],
  },
  violates: {
    'accepted with one of the ways': [
      control,
      example('together 200 unscoped', { row: { way: ['query debug=true', 'header x-scopes'] } }),
      'bare 403 unscoped',
      example('single 403 unscoped', { row: { way: ['query debug=true'] } }),
      example('single 200 unscoped', { row: { way: ['header x-scopes'] } }),
    ],
  },
  inconclusive: {
    'no scope is asked for at all': [control, 'together 200 unscoped', 'bare 200 unscoped'],
    'each way is refused in itself': [control, 'together 400 unscoped', 'together 431 unscoped'],
    'nothing was sent': [],
  },
};
