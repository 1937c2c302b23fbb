import type { ActiveCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { inconclusive, uncheckedOutcome } from '../../harness/checks/outcomes.ts';
import { wrongAnswers } from '../../harness/checks/wrong-answers.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { validVariations } from '../../harness/openapi/changed-bodies.ts';
import { isExcludedBody } from './body-classes.ts';
import { freshBodies, otherBody } from './fresh-bodies.ts';
import { schemaCheck, verdictOn } from './request-schema.ts';
import { reversed } from './unusual-forms.ts';

/** Enough for a body of a dozen members. */
const mostVariations = 24;

export const check: ActiveCheck = schemaCheck({
  title: 'a known body, varied within the schema of the supplied document, does not get 400',
  steps: inputSteps('a variation', { value: { times: mostVariations }, random: { times: 0 } }),
  factor: async (client, control, { rules, validate }) => {
    const bodies = await freshBodies(client, control, { renewals: mostVariations });
    const { valid } = bodies;
    const corpus = [
      { id: 'members in another order', value: reversed(valid) },
      ...(validate(valid).ok ? validVariations(rules, valid, validate) : []),
    ]
      .slice(0, mostVariations)
      .filter(({ value }) => !isExcludedBody(client, value, valid))
      .map(({ id, value }) => ({ ...otherBody(value), id, label: id }));
    return bodies.factor(corpus, { corpus, isAllowed: (exchange) => statusOf(exchange) !== 400 });
  },
  evaluate: (evidence, known) => {
    const { operation, steps } = evidence;
    // What was sent counts, not what it was meant to be.
    const isValid = (exchange: Exchange): boolean => verdictOn(known, exchange)?.ok === true;
    const isAllowed = (exchange: Exchange): boolean => statusOf(exchange) !== 400 || !isValid(exchange);
    const sent = [...steps.value, ...steps.repeated];
    if (steps.valid.some(isOk) && !sent.some(isValid))
      return inconclusive(
        'the known body violates the schema of the supplied document, so no valid variation could be made',
        `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
      );
    const { unchecked = [] } = known.validate;
    if (unchecked.length > 0 && !sent.every(isAllowed)) return uncheckedOutcome(unchecked);
    const rule = { expected: 'not 400', statement: () => 'A body that satisfies its schema was refused' };
    return evaluateInputs(evidence, {
      input: 'another body',
      isAllowed,
      violations: (wrong) => wrongAnswers(wrong, rule),
      passes: (count) => `not answered 400 in ${count} of ${count} calls`,
    });
  },
});
