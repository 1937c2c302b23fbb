import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'refused with 401': ['valid 200', 'nearMiss 401 invalid'],
    'a very long value is called malformed': [
      'valid 200',
      'nearMiss 401 invalid',
      unusual('a very long value in place of a key', 400),
    ],
  },
  violates: {
    'a near miss is let in': ['valid 200', 'nearMiss 200 invalid'],
    'refused with 400': ['valid 200', 'nearMiss 400 invalid'],
    'an unusual value is let in': ['valid 200', 'nearMiss 401 invalid', unusual('null', 200)],
  },
  inconclusive: { 'the good key is refused as well': ['valid 401', 'nearMiss 401 invalid'] },
};

function unusual(description: string, status: number): Exchange {
  return example(`unusual ${status}`, { request: { credential: { kind: 'invalid', description } } });
}
