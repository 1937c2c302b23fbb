import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

export const examples: Examples = {
  passes: {
    'refused with 401': [control, { step: 'nearMiss', status: 401, credential: 'invalid' }],
    'a very long value is called malformed': [
      control,
      { step: 'nearMiss', status: 401, credential: 'invalid' },
      unusual('a very long value in place of a key', 400),
    ],
  },
  violates: {
    'a near miss is let in': [control, { step: 'nearMiss', status: 200, credential: 'invalid' }],
    'refused with 400': [control, { step: 'nearMiss', status: 400, credential: 'invalid' }],
    'an unusual value is let in': [
      control,
      { step: 'nearMiss', status: 401, credential: 'invalid' },
      unusual('null', 200),
    ],
  },
  inconclusive: {
    'the good key is refused as well': [
      { step: 'valid', status: 401 },
      { step: 'nearMiss', status: 401, credential: 'invalid' },
    ],
  },
};

function unusual(description: string, status: number): Exchange {
  const request = { credential: { kind: 'invalid', description } } as const;
  return exampleExchange({ step: 'unusual', status, request });
}
