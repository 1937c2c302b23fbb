import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { jsonKind } from '../../harness/evidence/json-syntax.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Examples } from '../examples-for-tests.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});

const control = valid('{"merchant":"atelier-nord"}');

/** Examples of request/body-type-is-rejected. */
export const examples: Examples = {
  passes: [{ name: 'refused with 400', given: { operation: create, exchanges: [control, sent(400)] } }],
  violates: [
    { name: 'let in', given: { operation: create, exchanges: [control, sent(200)] } },
    {
      name: '500, as where a member of null is read',
      given: { operation: create, exchanges: [control, sent(500), again('500', 200)] },
    },
  ],
  inconclusive: [
    { name: 'no valid body is known', given: { operation: create, exchanges: [] } },
    {
      name: '409, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, sent(409), again('409', 409)],
      },
    },
  ],
  notApplicable: [
    {
      name: 'the valid body is an array',
      given: { operation: create, exchanges: [valid('[{"merchant":"atelier-nord"}]')] },
    },
  ],
};

function valid(text: string): Exchange {
  const exchange = exampleExchange({ step: 'valid', status: 200 });
  const body = {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: jsonKind(text),
  } as const;
  return { ...exchange, request: { ...exchange.request, body } };
}

function sent(status: number): Exchange {
  return exampleExchange({ step: 'value', row: { body: 'null' }, status });
}

function again(company: string, status: number): ReturnType<typeof exampleExchange> {
  return exampleExchange({ step: 'recovery', row: { company }, status });
}
