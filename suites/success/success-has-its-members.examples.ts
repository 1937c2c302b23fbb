import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const operation = exampleOperation({ responseSchema: 'Example' });
const answered = (json: unknown, path = '/example'): Exchange => example('200', { json, request: { path } });

export const examples: Examples = {
  operation,
  passes: {
    'members each time': [answered({ id: 1 }), answered({ id: 2 })],
    'nothing at another path': [answered({ id: 1 }), answered(null, '/other')],
  },
  violates: {
    'null once': [answered({ id: 1 }), answered(null)],
    'an empty object once': [answered({}), answered({ id: 1 })],
  },
  notApplicable: { 'lists alone': [answered([])] },
};
