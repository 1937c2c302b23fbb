import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'accepted each time': [at(1, '200'), at(2, '200')],
    'refused from some time on': [at(1, '200'), at(2, '401')],
    'refused at first': [at(1, '401'), at(2, '200')],
    'the other key is refused in between': [at(1, '200'), at(2, '401 unscoped'), at(3, '200')],
  },
  violates: {
    'refused in between': [at(1, '200'), at(2, '401'), at(3, '200')],
    'a probe with the key without the scope is refused in between': ['200', '401', '200'].map(
      (status, second) => example(`${status} unscoped`, { second }),
    ),
  },
  notApplicable: { 'no valid call': [] },
};

function at(second: number, words: string): Exchange {
  return example(words, { role: 'control', second });
}
