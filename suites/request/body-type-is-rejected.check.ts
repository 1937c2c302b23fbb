import { evaluateBodyRefusals, probeBodies, type UnusualBody } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';

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
