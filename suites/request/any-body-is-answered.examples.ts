import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type Examples, sentExample } from '../examples-for-tests.ts';
import { create } from './example-bodies-for-tests.ts';

const login = exampleOperation({ role: 'consumes-login', method: 'POST' });

const control = sentExample({ step: 'valid', status: 200 }, '{"a":"b"}');

export const examples: Examples = {
  operation: create,
  passes: {
    'refused, taken, not found and in conflict': [control, sent(400), sent(200), sent(404), sent(409)],
    'no answer while the target was out, 400 later': [
      control,
      sent(undefined),
      again('no answer (reset)', 200),
      sent(400),
    ],
    '403 to a body that names something else, which may belong to others': [
      control,
      sent(403, '{"a":"c"}'),
      again('403', 200),
    ],
    '401 to a login return, where it is the login that fails': {
      operation: login,
      exchanges: [control, sent(401, '{"a":"b","c":1}'), again('401', 200)],
    },
  },
  violates: {
    '500, and the valid call is still answered': [control, sent(500), again('500', 200)],
    '500 to everything from the body on': [control, sent(500), again('500', 500)],
    '415 where the valid call is refused as well': [
      sentExample({ step: 'valid', status: 404 }, '{}'),
      sent(415),
    ],
    'no answer, and the valid call is answered again': [
      control,
      sent(undefined),
      again('no answer (reset)', 200),
    ],
    '403 to a body that names the same things as the valid one': [
      control,
      sent(403, '{"a":"b","c":"<script>"}'),
      again('403', 200),
    ],
  },
  inconclusive: {
    'no answer any more': [control, sent(undefined)],
    '403 from a guard that then shuts out the harness altogether': [
      control,
      sent(403, '{"a":"b","c":1}'),
      again('403', 403),
    ],
    'the valid call is in conflict': [sentExample({ step: 'valid', status: 409 }, '{}'), sent(409)],
    'nothing was sent': [control],
  },
};

function sent(status: number | undefined, body = '{"a":"c"}'): Exchange {
  return sentExample(
    {
      step: 'value',
      row: { body: 'unusual' },
      ...(status === undefined ? { failure: 'reset' } : { status }),
    },
    body,
  );
}

function again(answer: string, status: number): Exchange {
  return sentExample({ step: 'recovery', row: { company: answer }, status }, '{"a":"b"}');
}
