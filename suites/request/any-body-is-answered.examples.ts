import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { again, create, sent } from './example-bodies-for-tests.ts';

const login = exampleOperation({ role: 'consumes-login', method: 'POST' });
const control = sent('valid 200', '{"a":"b"}');
const reset = [control, unusual('reset')];

export const examples: Examples = {
  operation: create,
  passes: {
    'refused, taken, not found and in conflict': [
      control,
      ...['400', '200', '404', '409'].map((status) => unusual(status)),
    ],
    'no answer while the target was out, 400 later': [
      ...reset,
      again('no answer (reset)', 200),
      unusual('400'),
    ],
    '403 to a body that names something else, which may belong to others': [
      control,
      unusual('403'),
      again('403', 200),
    ],
    '401 to a login return, where it is the login that fails': {
      operation: login,
      exchanges: [control, unusual('401', '{"a":"b","c":1}'), again('401', 200)],
    },
  },
  violates: {
    '500, and the valid call is still answered': [control, unusual('500'), again('500', 200)],
    '500 to everything from the body on': [control, unusual('500'), again('500', 500)],
    '415 where the valid call is refused as well': [sent('valid 404', '{}'), unusual('415')],
    'no answer, and the valid call is answered again': [...reset, again('no answer (reset)', 200)],
    '403 to a body that names the same things as the valid one': [
      control,
      unusual('403', '{"a":"b","c":"<script>"}'),
      again('403', 200),
    ],
  },
  inconclusive: {
    'no answer any more': reset,
    '403 from a guard that then shuts out the harness altogether': [
      control,
      unusual('403', '{"a":"b","c":1}'),
      again('403', 403),
    ],
    'the valid call is in conflict': [sent('valid 409', '{}'), unusual('409')],
    'nothing was sent': [control],
  },
};

function unusual(answer: string, text = '{"a":"c"}'): Exchange {
  return sent(`value ${answer}`, text, 'unusual');
}
