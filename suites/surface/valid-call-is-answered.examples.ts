import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({
  method: 'POST',
  role: 'creates-session',
  requestSchema: 'CreateRequest',
});
const refused = example('valid 400', { role: 'control', sent: '{}' });

export const examples: Examples = {
  passes: { '200': ['valid 200'] },
  violates: {
    '404 at a fixed path': ['valid 404'],
    '400 without a header that the contract does not declare': {
      operation,
      exchanges: [refused, example('withHeader 200', { row: { 'required header': 'idempotency-key' } })],
    },
    'the connection is cut': ['valid reset'],
  },
  inconclusive: {
    '400 to the body of the target file': { operation, exchanges: [refused] },
    '409 to the body of the target file, before anything was created': {
      operation,
      exchanges: [example('undisturbed 409', { role: 'control', sent: '{}' })],
    },
    '404 for a value that was guessed': [
      example('valid 404', { values: { sessionId: { value: 'x', source: 'discovered' } } }),
    ],
    '401, which is a matter of keys': ['valid 401'],
    'nothing was sent': [],
  },
};
