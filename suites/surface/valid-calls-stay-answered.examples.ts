import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, example } from '../examples-for-tests.ts';

const blocked = example('valid 403', { role: 'control', second: 2, body: '<html>Request blocked</html>' });

export const examples: Examples = {
  passes: {
    'answered each time': [at(1, 200), at(2, 200)],
    'refused from some time on': [at(1, 200), at(2, 403)],
    'refused at first': [at(1, 400), at(2, 200)],
    'blocked by a page in front': [at(1, 200), blocked, at(3, 200)],
  },
  violates: {
    'forbidden in between': [at(1, 200), at(2, 403), at(3, 200)],
    'a bad request, where the valid calls of a read belong to steps of any name': [
      at(1, 200, 'withoutKey'),
      at(2, 400, 'withoutKey'),
      at(3, 200, 'withoutKey'),
    ],
    'a bad request': [at(1, 200), at(2, 400), at(3, 200)],
    'a bad request from some time on': [at(1, 200), at(2, 400)],
  },
  notApplicable: { 'no valid call': [] },
};

function at(second: number, status: number, step = 'valid'): Exchange {
  return example(`${step} ${status}`, { role: 'control', second });
}
