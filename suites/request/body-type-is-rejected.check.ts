import { activeCheck } from '../../harness/checks/active-check.ts';
import {
  bodySteps,
  evaluateBodyRefusals,
  probeBodies,
  type UnusualBody,
} from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { notApplicable } from '../../harness/checks/outcomes.ts';
import type { RecordedBody } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import { isExcludedBody } from './body-classes.ts';

const steps = bodySteps((_operation, _fuzzRuns, profile) => (profile === 'quick' ? 5 : 7));

/** Alike to most services: a quick run sends one of each row, the next one at the next operation. */
const inTurn = [
  ['an empty array', 'the valid body in an array'],
  ['true', 'false'],
];

const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-3',
  title: 'a JSON body that is not an object gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  steps,
  probe: (client, operation) =>
    probeBodies(client, operation, steps, (valid) =>
      otherTypes(valid?.request.body)
        .filter(
          ({ label }) => client.profile !== 'quick' || isItsTurn(label, client.operations.indexOf(operation)),
        )
        .filter(({ value }) => !isExcludedBody(client, value, {})),
    ),
  evaluate: ({ steps }) => {
    const sent = steps.valid.at(-1)?.request.body;
    if (sent !== undefined && sent.json !== 'object')
      return notApplicable(`the valid body is not an object either, but JSON of the type ${sent.json}`);
    return evaluateBodyRefusals(steps, {
      subject: 'A JSON body that is not an object',
      clauseOf: () => 'non-object-body',
    });
  },
});

export default check;

function isItsTurn(label: string, nth: number): boolean {
  const row = inTurn.find((labels) => labels.includes(label));
  return row === undefined || row[nth % row.length] === label;
}

/** None where the valid body is not known to be an object, as the schema may be of any type. */
function otherTypes(valid: RecordedBody | undefined): ReadonlyArray<UnusualBody & { readonly value: Json }> {
  if (valid?.json !== 'object') return [];
  const other = (label: string, value: Json): UnusualBody & { readonly value: Json } => ({
    label,
    value,
    body: jsonBody(value),
  });
  return [
    other('an empty array', []),
    {
      label: 'the valid body in an array',
      value: [],
      body: { bytes: Buffer.from(`[${valid.text}]`), contentType: 'application/json' },
    },
    other('a string', 'text'),
    other('a number', 1),
    other('true', true),
    other('false', false),
    other('null', null),
  ];
}
