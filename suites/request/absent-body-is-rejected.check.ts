import { evaluateBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});
const control = exampleExchange({ role: 'control', status: 200 });
const witness = exampleExchange({ role: 'witness', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-1',
  title: 'a call without its required body is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 3,
  probe: (client, operation) =>
    probeBodies(client, operation, () => [
      { label: 'no body and no content type', body: 'none' },
      {
        label: 'no body under application/json',
        body: { bytes: Buffer.alloc(0), contentType: 'application/json' },
      },
    ]),
  evaluate: ({ exchanges }) => evaluateBodyRefusals(exchanges, { statement: 'an absent body is refused' }),
  examples: [
    {
      name: 'refused with 400',
      given: { operation: create, exchanges: [control, absent(400), absent(400)] },
      says: 'pass',
    },
    {
      name: 'let in',
      given: { operation: create, exchanges: [control, absent(400), absent(200)] },
      says: 'violated',
    },
    {
      name: 'let in though no valid call is known',
      given: { operation: create, exchanges: [absent(200)] },
      says: 'violated',
    },
    {
      name: '411, and the valid call is still answered',
      given: { operation: create, exchanges: [control, absent(411), absent(400), witness] },
      says: 'violated',
    },
    {
      name: '409, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, absent(409), absent(409), exampleExchange({ role: 'witness', status: 409 })],
      },
      says: 'inconclusive',
    },
    {
      name: 'refused, but so was the valid call',
      given: {
        operation: create,
        exchanges: [exampleExchange({ role: 'control', status: 400 }), absent(400)],
      },
      says: 'inconclusive',
    },
    {
      name: 'refused, but no valid call is known',
      given: { operation: create, exchanges: [absent(400)] },
      says: 'inconclusive',
    },
    { name: 'nothing was sent', given: { operation: create, exchanges: [] }, says: 'inconclusive' },
  ],
};

export default check;

function absent(status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ label: 'no body and no content type', status });
}
