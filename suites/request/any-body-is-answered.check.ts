import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { probeInputs } from '../../harness/checks/probe-inputs.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import { bodyViolations } from './any-body-violations.ts';
import { bodyFactor, mayAnswerAnyBody } from './body-factor.ts';
import { combinedForms, unusualForms } from './unusual-forms.ts';

/** The forms of what bodies are like, for their number. */
const typicalBody = { store: 'text', url: 'https://shop.example', items: [{ count: 1 }] };
const singleForms = unusualForms(typicalBody);

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'STATUS-1',
  title: 'a call with good credentials gets 200, 400, 404 or 409, whatever its body',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  steps: inputSteps('another body', {
    value: { times: countByProfile([...combinedForms(typicalBody, singleForms), ...singleForms]) },
    random: { times: (_operation, fuzzRuns) => 2 * fuzzRuns },
  }),
  probe: (client, steps, operation) =>
    client.joined(() =>
      probeInputs(client, operation, steps, async (valid) =>
        valid === undefined ? [] : [await bodyFactor(client, operation, valid)],
      ),
    ),
  evaluate: (evidence) =>
    evaluateInputs(evidence, {
      input: 'a body',
      isAllowed: (exchange) => mayAnswerAnyBody(evidence.operation, exchange, evidence.steps.valid.at(-1)),
      violations: bodyViolations,
      passes: (count) => `answered 200, 400, 404 or 409 for ${count} other bodies`,
    }),
});
