import { evaluateBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { malformedBodies } from './malformed-bodies.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});
const control = exampleExchange({ role: 'control', status: 200 });
const witness = exampleExchange({ role: 'witness', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-2',
  title: 'a call whose body is not JSON is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 18,
  probe: (client, operation) =>
    probeBodies(client, operation, (sent) => malformedBodies(sent?.request.body?.text ?? '{"a":1}')),
  evaluate: ({ exchanges }) =>
    evaluateBodyRefusals(exchanges, { statement: 'a body that is not JSON is refused' }),
  examples: [
    {
      name: 'refused with 400',
      given: { operation: create, exchanges: [control, truncated(400)] },
      says: 'pass',
    },
    { name: 'let in', given: { operation: create, exchanges: [control, truncated(200)] }, says: 'violated' },
    {
      name: '422',
      given: { operation: create, exchanges: [control, truncated(422), witness] },
      says: 'violated',
    },
    {
      name: '500',
      given: { operation: create, exchanges: [control, truncated(500), witness] },
      says: 'violated',
    },
    {
      name: '404, as if the body had named something',
      given: { operation: create, exchanges: [control, truncated(404), witness] },
      says: 'violated',
    },
    {
      name: 'no answer, and the valid call is answered again',
      given: {
        operation: create,
        exchanges: [
          control,
          exampleExchange({ label: 'JSON without its last character', failure: 'reset' }),
          witness,
        ],
      },
      says: 'violated',
    },
    {
      name: '503, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, truncated(503), exampleExchange({ role: 'witness', status: 503 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'refused, but so was the valid call',
      given: {
        operation: create,
        exchanges: [exampleExchange({ role: 'control', status: 404 }), truncated(400)],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;

function truncated(status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ label: 'JSON without its last character', status });
}
