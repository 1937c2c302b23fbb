import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notApplicable } from '../../harness/checks/outcomes.ts';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { isExcludedBody } from './body-classes.ts';
import { bodySteps, evaluateBodyRefusals, probeBodies, type UnusualBody } from './refused-bodies.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-3',
  title: 'a JSON body that is not an object gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  steps: bodySteps({ times: 7, strength: 'part' }),
  probe: (client, steps, operation) =>
    probeBodies(client, steps, (valid) =>
      otherTypes(valid?.request.body)
        .flatMap((alike) => client.share(alike, client.operations.indexOf(operation)))
        .filter(({ value }) => !isExcludedBody(client, value, {})),
    ),
  evaluate: (evidence) => {
    const sent = evidence.steps.valid.at(-1)?.request.body;
    if (sent !== undefined && sent.json !== 'object')
      return notApplicable(`the valid body is not an object either, but JSON of the type ${sent.json}`);
    return evaluateBodyRefusals(evidence, {
      subject: () => 'A JSON body that is not an object',
      clauseOf: () => 'non-object-body',
    });
  },
});

interface OtherType extends UnusualBody {
  readonly value: Json;
}

/**
 * Those in one list are alike to most services: a quick run sends one of them, the next one at the next operation. None where
 * the valid body is not known to be an object, as the schema may be of any type.
 */
function otherTypes(valid: RecordedBody | undefined): ReadonlyArray<readonly OtherType[]> {
  if (valid?.json !== 'object') return [];
  const other = (id: string, label: string, value: Json, body = jsonBody(value)): OtherType => ({
    ...{ id, label, value, body },
  });
  const inArray = { bytes: Buffer.from(`[${valid.text}]`), contentType: 'application/json' };
  return [
    [
      other('empty-array', 'an empty array', []),
      other('in-array', 'the valid body in an array', [], inArray),
      other('null', 'null', null),
    ],
    [
      // A service that parses twice finds the valid body within.
      other('string', 'the valid body in a text', valid.text),
      other('number', 'a number', 1),
      other('true', 'true', true),
      other('false', 'false', false),
    ],
  ];
}
