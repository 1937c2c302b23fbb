import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ id: 'readsSession', scope: 'catalog:read' });
const session = { sessionId: 'cs_1', total: { amount: 4200 }, status: 'open' };
const error = { code: 'forbidden', message: 'No.', requiredScopes: ['catalog:read'] };
const success = example('200', { operation: operation.id, json: session });
const usual = example('404 none', { operation: 'readsPublic', json: { code: 'not_found', message: 'No.' } });

export const examples: Examples = {
  operation,
  applicable: new Set([operation.id]),
  passes: {
    'an error that names the scope': [
      success,
      usual,
      example('403 unscoped', { operation: operation.id, json: error }),
    ],
  },
  violates: {
    'the session beside the error': [
      success,
      usual,
      example('403 unscoped', { operation: operation.id, json: { ...error, session } }),
    ],
  },
  notApplicable: { 'no refusal': [success, usual] },
};
