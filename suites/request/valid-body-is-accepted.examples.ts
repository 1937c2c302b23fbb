import type { Evidence } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { exampleDocument } from '../../harness/openapi/example-document.ts';
import type { Examples } from '../examples-for-tests.ts';
import { sentExample } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  path: '/api/v1/open/hosted/checkout/sessions',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const document = exampleDocument(create, {
  request: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
});

const valid = sentExample({ step: 'valid', status: 200 }, '{"a":1}');

const witness = recovered(200);

/** Examples of request/valid-body-is-accepted. */
export const examples: Examples = {
  passes: [
    { name: '200', given: given(valid, varied(200)) },
    { name: 'in conflict, or names nothing', given: given(valid, varied(409), varied(404)) },
    {
      name: '400 to a body that violates the schema after all',
      given: given(valid, varied(200), varied(400, '{"a":"2"}'), witness),
    },
  ],
  violates: [
    { name: '400, and the valid call is still answered', given: given(valid, varied(400), witness) },
  ],
  inconclusive: [
    {
      name: '400, as is the valid call by now',
      given: given(valid, varied(400), recovered(400)),
    },
    {
      name: 'the valid call is refused',
      given: given(sentExample({ step: 'valid', status: 400 }, '{"a":1}'), varied(400)),
    },
    {
      name: 'the known body violates the schema',
      given: given(sentExample({ step: 'valid', status: 200 }, '{}')),
    },
    { name: 'nothing was sent', given: given() },
  ],
  notApplicable: [
    { name: 'no document', given: { operation: create, exchanges: [valid] } },
    {
      name: 'a document without fields',
      given: { ...given(), ...{ document: exampleDocument(create, { request: {} }) } },
    },
  ],
};

function given(...exchanges: readonly Exchange[]): Evidence {
  return { operation: create, exchanges, document };
}

function varied(status: number, text = '{"a":2}'): Exchange {
  return sentExample({ step: 'value', row: { body: '/a at its most' }, status }, text);
}

function recovered(status: number): Exchange {
  return exampleExchange({ step: 'recovery', row: { company: '400' }, status });
}
