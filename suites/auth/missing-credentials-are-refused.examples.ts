import { exampleExchange } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const control = exampleExchange({ step: 'valid', status: 200 });

const refused = exampleExchange({ step: 'onFreshConnection', status: 401, credential: 'none' });

export const examples: Examples = {
  passes: {
    'refused with a good key in all other places': [control, misplaced(401)],
    'the misplaced keys are malformed, and a call without any is refused': [control, misplaced(400), refused],
    'refused on both connections': [
      control,
      { step: 'onSameConnection', status: 401, credential: 'none', connection: 'reused' },
      { step: 'onFreshConnection', status: 401, credential: 'none', connection: 'fresh' },
    ],
  },
  violates: {
    'let in with a good key in another place': [control, misplaced(200), refused],
    'let in on the connection that was authenticated': [
      control,
      { step: 'onSameConnection', status: 200, credential: 'none', connection: 'reused' },
    ],
    'refused with 403': [control, { step: 'onFreshConnection', status: 403, credential: 'none' }],
    'let in though no valid call is known': [{ step: 'onFreshConnection', status: 200, credential: 'none' }],
  },
  inconclusive: {
    'refused, but no valid call is known': [{ step: 'onFreshConnection', status: 401, credential: 'none' }],
  },
};

function misplaced(status: number): Exchange {
  return exampleExchange({ step: 'misplaced', status, credential: 'none' });
}
