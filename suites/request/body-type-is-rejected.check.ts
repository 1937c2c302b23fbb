import { evaluateBodyRefusals, probeBodies, type UnusualBody } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { exampleExchange, exampleOperation } from '../../harness/checks/example-exchange.ts';
import { jsonKind } from '../../harness/http/record-body.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';

const create = exampleOperation({
  id: 'createHostedCheckoutSession',
  method: 'POST',
  requestSchema: 'HostedCheckoutCreateRequest',
});
const control = valid('{"merchant":"atelier-nord"}');
const witness = exampleExchange({ role: 'witness', status: 200 });

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-3',
  title: 'a body that is JSON but no object is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 8,
  probe: (client, operation) => probeBodies(client, operation, otherTypes),
  evaluate: ({ exchanges }) => {
    const sent = exchanges.findLast(({ role }) => role === 'control')?.request.body;
    if (sent !== undefined && sent.json !== 'object') {
      return {
        outcome: 'not-applicable',
        reason: `the valid body is no object either, but JSON of the type ${sent.json}`,
      };
    }
    return evaluateBodyRefusals(exchanges, {
      statement: 'a body that is no object is refused',
      clause: 'non-object-body',
    });
  },
  examples: [
    { name: 'refused with 400', given: { operation: create, exchanges: [control, odd(400)] }, says: 'pass' },
    { name: 'let in', given: { operation: create, exchanges: [control, odd(200)] }, says: 'violated' },
    {
      name: '500, as where a member of null is read',
      given: { operation: create, exchanges: [control, odd(500), witness] },
      says: 'violated',
    },
    {
      name: 'the valid body is an array',
      given: { operation: create, exchanges: [valid('[{"merchant":"atelier-nord"}]')] },
      says: 'not-applicable',
    },
    {
      name: 'no valid body is known',
      given: { operation: create, exchanges: [] },
      says: 'inconclusive',
    },
    {
      name: '409, as is the valid call by now',
      given: {
        operation: create,
        exchanges: [control, odd(409), exampleExchange({ role: 'witness', status: 409 })],
      },
      says: 'inconclusive',
    },
  ],
};

export default check;

/** None where the valid body is not known to be an object: the schema may be of any type. */
function otherTypes(sent: Exchange | undefined): readonly UnusualBody[] {
  const body = sent?.request.body;
  if (body?.json !== 'object') return [];
  return [
    { label: 'an empty array', body: jsonBody([]) },
    {
      label: 'the valid body in an array',
      body: { bytes: Buffer.from(`[${body.text}]`), contentType: 'application/json' },
    },
    { label: 'a string', body: jsonBody('text') },
    { label: 'a number', body: jsonBody(1) },
    { label: 'true', body: jsonBody(true) },
    { label: 'false', body: jsonBody(false) },
    { label: 'null', body: jsonBody(null) },
  ];
}

function valid(text: string): Exchange {
  const exchange = exampleExchange({ role: 'control', status: 200 });
  const body = {
    text,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    truncated: false,
    json: jsonKind(text),
  } as const;
  return { ...exchange, request: { ...exchange.request, body } };
}

function odd(status: number): Exchange {
  return exampleExchange({ label: 'null', status });
}
