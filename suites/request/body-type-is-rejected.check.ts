import { activeCheck } from '../../harness/checks/active-check.ts';
import {
  bodySteps,
  evaluateBodyRefusals,
  probeBodies,
  type UnusualBody,
} from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notApplicable } from '../../harness/checks/outcomes.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';

const steps = bodySteps(7);

const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-3',
  title: 'a JSON body that is not an object gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  leastProfile: () => 'standard',
  steps,
  probe: (client, operation) => probeBodies(client, operation, steps, otherTypes),
  evaluate: ({ steps }) => {
    const sent = steps.valid.at(-1)?.request.body;
    if (sent !== undefined && sent.json !== 'object')
      return notApplicable(`the valid body is not an object either, but JSON of the type ${sent.json}`);
    return evaluateBodyRefusals(steps, {
      subject: 'A JSON body that is not an object',
      clause: 'non-object-body',
    });
  },
});

export default check;

/** None where the valid body is not known to be an object, as the schema may be of any type. */
function otherTypes(valid: Exchange | undefined): readonly UnusualBody[] {
  const body = valid?.request.body;
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
