import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const consume = exampleOperation({ method: 'POST', role: 'consumes-login', requestSchema: 'ReturnRequest' });

const valid = exampleExchange({ step: 'valid', status: 200 });
const after = (status: number, body?: string): Exchange =>
  exampleExchange({
    step: 'after',
    status,
    row: { earlier: ['head', 'range'] },
    ...(body === undefined ? {} : { body }),
  });

export const examples: Examples = {
  passes: {
    'as before': [valid, after(200)],
    'an equal login had been used up, and a later one is answered as before': {
      operation: consume,
      exchanges: [valid, after(409), { ...after(200), step: 'isolated' }],
    },
  },
  violates: {
    'not modified, unasked': [valid, after(304), after(304)],
    'an empty page': [valid, after(200, ''), after(200, '')],
    'a conflict of a read': [valid, after(409), after(409)],
  },
  inconclusive: {
    'a login is answered 409, and only a part of the calls is sent again': {
      operation: consume,
      exchanges: [valid, after(409), { ...after(200), step: 'isolated', row: { earlier: ['head'] } }],
    },
    'the valid call fails anyway': [{ step: 'valid', status: 404 }],
    'it came once only': [valid, after(404), after(200)],
    'nothing came before': [valid],
    'it fails for good': [valid, after(404), { step: 'recovered', status: 404 }],
  },
};
