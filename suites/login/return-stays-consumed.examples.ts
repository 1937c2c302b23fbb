import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import { type Examples, example, stepped } from '../examples-for-tests.ts';

const another = example('again 200', { json: { login: 'L-2' } });

export const examples: Examples = {
  operation: exampleOperation({ method: 'POST', role: 'consumes-login' }),
  passes: { 'gone by then': stepped('first 200, again 409, late 404') },
  violates: {
    'accepted once more': stepped('first 200, again 409, late 200'),
    'accepted twice at first': [...stepped('first 200'), another, ...stepped('late 409')],
  },
  inconclusive: {
    'repeated from the beginning': stepped('first 200, again 200, late 200'),
    'nothing was sent late': stepped('first 200, again 409'),
  },
};
