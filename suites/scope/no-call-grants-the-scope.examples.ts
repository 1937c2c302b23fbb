import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  operation: exampleOperation({ id: 'create', scope: 'catalog:read' }),
  passes: { 'refused before and after other calls': calls('create 403', 'identity 200', 'create 403') },
  violates: {
    'accepted at once after another call': calls('login 403', 'identity 200', 'create 200', 'login 200'),
    'accepted by an operation that was never called before, and then by this one': {
      applicable: new Set(['create', 'login']),
      exchanges: calls('create 403', 'identity 200', 'login 200', 'create 200'),
    },
    'accepted by another operation first': calls(
      ...['login 403', 'create 403', 'identity 200', 'login 200', 'products 200', 'create 200'],
    ),
  },
  notApplicable: {
    'no call of this operation with such a key': calls('login 403', 'identity 200'),
    'never refused': calls('identity 200', 'create 200'),
    'accepted where nothing was refused before': calls('login 403', 'identity 200', 'create 200'),
    'refused again later': calls('login 403', 'identity 200', 'create 200', 'login 403'),
    'many other calls in between': calls(
      ...['login 403', 'identity 200', 'readiness 200', 'products 200', 'create 200'],
    ),
  },
};

/** Calls with the key without the scope, one a second. */
function calls(...operationsAndStatuses: readonly string[]): readonly Exchange[] {
  return operationsAndStatuses.map((words, second) => {
    const [operation = '', status] = words.split(' ');
    return example(`${status} unscoped`, { operation, second });
  });
}
