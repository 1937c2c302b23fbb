import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation({});

/** Examples of surface/valid-calls-stay-answered. */
export const examples: Examples = {
  passes: [
    { name: 'answered each time', given: { operation, exchanges: [at(1, 200), at(2, 200)] } },
    { name: 'refused from some time on', given: { operation, exchanges: [at(1, 200), at(2, 403)] } },
    { name: 'refused at first', given: { operation, exchanges: [at(1, 400), at(2, 200)] } },
    {
      name: 'blocked by a page in front',
      given: {
        operation,
        exchanges: [at(1, 200), at(2, 403, '<html>Request blocked</html>'), at(3, 200)],
      },
    },
  ],
  violates: [
    { name: 'forbidden in between', given: { operation, exchanges: [at(1, 200), at(2, 403), at(3, 200)] } },
    {
      name: 'a bad request, where the valid calls of a read belong to steps of any name',
      given: { operation, exchanges: [at(1, 200), at(2, 400), at(3, 200)].map(withoutKey) },
    },
    { name: 'a bad request', given: { operation, exchanges: [at(1, 200), at(2, 400), at(3, 200)] } },
  ],
  notApplicable: [{ name: 'no valid call', given: { operation, exchanges: [] } }],
};

function at(second: number, status: number, body = '{}'): Exchange {
  return {
    ...exampleExchange({ status, role: 'control', step: 'valid', body }),
    startedAt: `2026-01-01T00:00:0${second}.000Z`,
  };
}

function withoutKey(exchange: Exchange): Exchange {
  return { ...exchange, step: 'withoutKey' };
}
