import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

export const examples: Examples = {
  passes: {
    'answered each time': [at(1, 200), at(2, 200)],
    'refused from some time on': [at(1, 200), at(2, 403)],
    'refused at first': [at(1, 400), at(2, 200)],
    'blocked by a page in front': [at(1, 200), at(2, 403, '<html>Request blocked</html>'), at(3, 200)],
  },
  violates: {
    'forbidden in between': [at(1, 200), at(2, 403), at(3, 200)],
    'a bad request, where the valid calls of a read belong to steps of any name': [
      at(1, 200),
      at(2, 400),
      at(3, 200),
    ].map(withoutKey),
    'a bad request': [at(1, 200), at(2, 400), at(3, 200)],
  },
  notApplicable: { 'no valid call': [] },
};

function at(second: number, status: number, body = '{}'): Exchange {
  const startedAt = `2026-01-01T00:00:0${second}.000Z`;
  return exampleExchange({ status, role: 'control', step: 'valid', body, startedAt });
}

function withoutKey(exchange: Exchange): Exchange {
  return { ...exchange, step: 'withoutKey' };
}
