import { exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';
import { sentExample } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const login = exampleOperation({ role: 'consumes-login', method: 'POST' });

const control = sentExample({ step: 'valid', status: 200 }, '{"a":"b"}');

/** Examples of request/any-body-is-answered. */
export const examples: Examples = {
  passes: [
    {
      name: 'refused, taken, not found and in conflict',
      given: { operation: create, exchanges: [control, sent(400), sent(200), sent(404), sent(409)] },
    },
    {
      name: 'no answer while the target was out, 400 later',
      given: {
        operation: create,
        exchanges: [control, sent(undefined), again('no answer (reset)', 200), sent(400)],
      },
    },
    {
      name: '403 to a body that names something else, which may belong to others',
      given: { operation: create, exchanges: [control, sent(403, '{"a":"c"}'), again('403', 200)] },
    },
    {
      name: '401 to a login return, where it is the login that fails',
      given: { operation: login, exchanges: [control, sent(401, '{"a":"b","c":1}'), again('401', 200)] },
    },
  ],
  violates: [
    {
      name: '500, and the valid call is still answered',
      given: { operation: create, exchanges: [control, sent(500), again('500', 200)] },
    },
    {
      name: '500 to everything from the body on',
      given: { operation: create, exchanges: [control, sent(500), again('500', 500)] },
    },
    {
      name: '415 where the valid call is refused as well',
      given: {
        operation: create,
        exchanges: [sentExample({ step: 'valid', status: 404 }, '{}'), sent(415)],
      },
    },
    {
      name: 'no answer, and the valid call is answered again',
      given: {
        operation: create,
        exchanges: [control, sent(undefined), again('no answer (reset)', 200)],
      },
    },
    {
      name: '403 to a body that names the same things as the valid one',
      given: {
        operation: create,
        exchanges: [control, sent(403, '{"a":"b","c":"<script>"}'), again('403', 200)],
      },
    },
  ],
  inconclusive: [
    { name: 'no answer any more', given: { operation: create, exchanges: [control, sent(undefined)] } },
    {
      name: '403 from a guard that then shuts out the harness altogether',
      given: {
        operation: create,
        exchanges: [control, sent(403, '{"a":"b","c":1}'), again('403', 403)],
      },
    },
    {
      name: 'the valid call is in conflict',
      given: {
        operation: create,
        exchanges: [sentExample({ step: 'valid', status: 409 }, '{}'), sent(409)],
      },
    },
    { name: 'nothing was sent', given: { operation: create, exchanges: [control] } },
  ],
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
