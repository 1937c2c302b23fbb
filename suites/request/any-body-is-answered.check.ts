import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { probeInputs } from '../../harness/checks/probe-inputs.ts';
import { witness } from '../../harness/checks/step.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import type { Operation } from '../../spec/operation.ts';
import { mostStores } from '../resource/listed-elsewhere.ts';
import { bodyViolations } from './any-body-violations.ts';
import { bodyFactor, mayAnswerAnyBody } from './body-factor.ts';
import { combinedForms, unusualForms } from './unusual-forms.ts';

/** The forms of what bodies are like, for their number. */
const typicalBody = { store: 'text', url: 'https://shop.example', items: [{ count: 1 }] };
const singleForms = unusualForms(typicalBody);
/** A checkout is of products, and no login. */
const namesProducts = ({ role }: Operation): boolean => role === 'creates-session';
/** The valid body with an earlier answer, and for other stores. */
const otherBodies = (operation: Operation): readonly Planned[] =>
  Array.from({ length: 1 + (namesProducts(operation) ? mostStores + 1 : 0) }, () => ({ weight: 'medium' }));

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'STATUS-1',
  title: 'a call with good credentials gets 200, 400, 404 or 409, whatever its body',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  steps: {
    ...inputSteps('another body', {
      value: {
        times: countByProfile((operation) => [
          ...combinedForms(typicalBody, singleForms),
          ...singleForms,
          ...otherBodies(operation),
        ]),
      },
      random: { times: (_operation, fuzzRuns) => 2 * fuzzRuns },
    }),
    listing: witness('lists products and their stores', { weight: 'medium', at: namesProducts }),
  },
  probe: (client, steps) =>
    client.joined(() =>
      probeInputs(client, steps, async (valid) =>
        valid === undefined ? [] : [await bodyFactor(client, valid, steps.listing)],
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
