import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const operation = exampleOperation();
const consume = exampleOperation({ method: 'POST', role: 'consumes-login', requestSchema: 'ReturnRequest' });

const valid = exampleExchange({ step: 'valid', status: 200 });
const after = (status: number, body?: string): ReturnType<typeof exampleExchange> =>
  exampleExchange({
    step: 'after',
    status,
    row: { earlier: ['head', 'range'] },
    ...(body === undefined ? {} : { body }),
  });

/** Examples of surface/earlier-calls-change-nothing. */
export const examples: Examples = {
  passes: [
    { name: 'as before', given: { operation, exchanges: [valid, after(200)] } },
    {
      name: 'an equal login had been used up, and a later one is answered as before',
      given: { operation: consume, exchanges: [valid, after(409), { ...after(200), step: 'isolated' }] },
    },
  ],
  violates: [
    { name: 'not modified, unasked', given: { operation, exchanges: [valid, after(304), after(304)] } },
    { name: 'an empty page', given: { operation, exchanges: [valid, after(200, ''), after(200, '')] } },
    { name: 'a conflict of a read', given: { operation, exchanges: [valid, after(409), after(409)] } },
  ],
  inconclusive: [
    {
      name: 'a login is answered 409, and only a part of the calls is sent again',
      given: {
        operation: consume,
        exchanges: [valid, after(409), { ...after(200), step: 'isolated', row: { earlier: ['head'] } }],
      },
    },
    {
      name: 'the valid call fails anyway',
      given: { operation, exchanges: [exampleExchange({ step: 'valid', status: 404 })] },
    },
    { name: 'it came once only', given: { operation, exchanges: [valid, after(404), after(200)] } },
    { name: 'nothing came before', given: { operation, exchanges: [valid] } },
    {
      name: 'it fails for good',
      given: {
        operation,
        exchanges: [valid, after(404), exampleExchange({ step: 'recovered', status: 404 })],
      },
    },
  ],
};
