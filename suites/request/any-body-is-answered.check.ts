import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { probeInputs } from '../../harness/checks/probe-inputs.ts';
import { witness } from '../../harness/checks/step.ts';
import { sentBody } from '../../harness/checks/vary-body.ts';
import { describeAnswer, isBlockedInFront } from '../../harness/evidence/answer.ts';
import { escapedUnit } from '../../harness/fuzzing/json-text.ts';
import { groupBy } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import type { Operation } from '../../spec/operation.ts';
import { mostStores } from '../resource/listed-elsewhere.ts';
import { bodyFactor, mayAnswerAnyBody, thenRead } from './body-factor.ts';
import { randomBody } from './fresh-bodies.ts';
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
    // Passive checks evaluate what an unusual body leads to later.
    made: witness('reads the session that another body made', {
      weight: 'medium',
      at: namesProducts,
      times: countByProfile(() => singleForms),
    }),
    listing: witness('lists products and their stores', { weight: 'medium', at: namesProducts }),
  },
  probe: (client, steps, operation) =>
    client.joined(() =>
      probeInputs(client, steps, async (valid) => {
        if (valid === undefined) return [];
        const factor = await bodyFactor(client, valid, steps.listing);
        return [namesProducts(operation) ? thenRead(client, steps.made, factor) : factor];
      }),
    ),
  evaluate: (evidence) =>
    evaluateInputs(evidence, {
      input: 'a body',
      isAllowed: (exchange) => mayAnswerAnyBody(evidence.operation, exchange, evidence.steps.valid.at(-1)),
      violations: bodyViolations,
      passes: (count) => `answered 200, 400, 404 or 409 for ${count} other bodies`,
    }),
});

/** Findings that one case reports at most. */
const mostFindings = 5;
const longestShown = 120;

/** One violation for all bodies that get the same response, shown by the smallest body that is known. */
function bodyViolations(wrong: readonly Exchange[]): readonly Violation[] {
  return [...groupBy(wrong, describeAnswer)].slice(0, mostFindings).flatMap(([answer, alike]) => {
    const reduced = alike.filter(({ role }) => role === 'reduction');
    const shown = reduced.length > 0 ? reduced : alike;
    const [exchange] = shown.toSorted((a, b) => sizeOf(a) - sizeOf(b));
    const found = reduced.length > 0 ? alike[0] : exchange;
    if (exchange === undefined || found === undefined) return [];
    const label = found.row?.['body'] === randomBody ? '' : `${found.label}; `;
    const size = reduced.length > 0 ? 'the smallest known is' : 'such as';
    return {
      statement: 'A body got an unexpected response',
      expected: '200, 400, 404 or 409',
      actual: answer,
      ...(isBlockedInFront(exchange) ? { clause: 'blocked-in-front' } : {}),
      detail: `${label}${size} ${show(exchange)}`,
      exchange,
    };
  });
}

/** What was recorded otherwise than it was sent counts as large. */
function sizeOf(exchange: Exchange): number {
  return sentBody(exchange)?.bytes ?? Number.POSITIVE_INFINITY;
}

/** A body within a line, with escapes for what is not ASCII. */
function show({ request }: Exchange): string {
  const { text = '', bytes = 0, encoding } = request.body ?? {};
  const escaped = text.slice(0, longestShown).replace(/[^\x20-\x7e]/g, escapedUnit);
  const type = request.headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type';
  const under = type === 'application/json' ? '' : ` under ${type}`;
  const rest = text.length > longestShown ? `… (${bytes} bytes)` : '';
  return `${encoding === 'base64' ? `base64 ${escaped}` : escaped}${rest}${under}`;
}
