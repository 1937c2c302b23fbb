import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import {
  inconclusive,
  notTested,
  pass,
  uncheckedOutcome,
  violatedOr,
} from '../../harness/checks/outcomes.ts';
import { isConflict, steadyControl } from '../../harness/checks/steady-control.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { wrongAnswers } from '../../harness/checks/wrong-answers.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import { validVariations } from '../../harness/openapi/valid-variations.ts';
import { isExcludedBody } from './body-classes.ts';
import { otherBody } from './body-input.ts';
import { FreshBodies } from './fresh-bodies.ts';
import { requestSchemaOf, withoutRequestSchema } from './request-schema.ts';
import { reversed } from './unusual-forms.ts';

/** Enough for a body of a dozen members. */
const mostVariations = 24;

const steps = namedSteps({
  valid: control('valid call'),
  varied: probe('a variation that the schema allows', { times: mostVariations }),
  validAgain: witness('valid call again'),
});

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'REQUEST-3',
  title: 'a known body changed as the schema of the supplied document allows does not get 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needsDocument: true,
  steps,
  probe: async (client, operation) => {
    const known = requestSchemaOf(client.document, operation);
    if (known === undefined) return;
    const { exchange: valid, missing } = await steadyControl(client, operation, steps.valid);
    if (missing !== undefined || valid === undefined) throw missing;
    const bodies = await FreshBodies.after(client, operation, valid, mostVariations);
    const { rules, validate } = known;
    const variations = [
      { id: 'members in another order', value: reversed(bodies.valid) },
      ...(validate(bodies.valid).ok ? validVariations(rules, bodies.valid, validate) : []),
    ].slice(0, mostVariations);
    let isRefused = false;
    for (const { id, value } of variations) {
      const row = { body: id };
      if (!client.wants(steps.varied, { row })) continue;
      if (isExcludedBody(client, value, bodies.valid)) continue;
      // A session that was cancelled is refused whatever the body says.
      if (!bodies.areFresh) break;
      const exchange = await bodies.call(steps.varied, { ...otherBody(value), id, label: id });
      isRefused ||= statusOf(exchange) === 400;
    }
    if (isRefused) await client.call(steps.validAgain);
  },
  evaluate: ({ operation, document, steps: { valid, varied, validAgain } }) => {
    const known = requestSchemaOf(document, operation);
    if (known === undefined) return withoutRequestSchema(document);
    const control = valid.at(-1);
    if (control === undefined) return inconclusive('no valid call could be sent');
    if (statusOf(control) !== 200) {
      const reason = `the valid call was answered ${describeAnswer(control)}`;
      return { outcome: 'inconclusive', reason, transient: isConflict(control) };
    }
    // What was sent counts, not what it was meant to be.
    const probes = varied.filter(({ request }) => {
      const body = parseBody(request.body);
      return body !== undefined && known.validate(body).ok;
    });
    if (probes.length === 0) {
      return inconclusive(
        'the known body violates the schema of the supplied document, so no valid variation could be made',
        `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
      );
    }
    const { unchecked = [] } = known.validate;
    if (unchecked.length > 0 && probes.some((exchange) => statusOf(exchange) === 400))
      return uncheckedOutcome(unchecked);
    const refused = probes.filter((exchange) => statusOf(exchange) === 400);
    const isStillAccepted = validAgain.some((exchange) => statusOf(exchange) === 200);
    const rule = { expected: 'not 400', statement: () => 'A body that satisfies its schema was refused' };
    return violatedOr(isStillAccepted ? wrongAnswers(refused, rule) : [], () =>
      refused.length === 0
        ? pass(`not answered 400 in ${probes.length} of ${probes.length} calls`)
        : notTested('answered 400, but so was the valid call when it was sent again'),
    );
  },
});
