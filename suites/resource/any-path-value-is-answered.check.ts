import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { countSettled, probeInputs } from '../../harness/checks/probe-inputs.ts';
import { describeAnswer, hasStatus } from '../../harness/evidence/answer.ts';
import { showSegment } from '../../harness/fuzzing/path-segment.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isAllowedAnswer, pathValueFactor } from './path-value-factor.ts';
import {
  notFoundEncoded,
  pathValueViolations,
  type SentValue,
  sentPathValue,
} from './path-value-violations.ts';
import { corpusOf, pathValues } from './path-values.ts';

const expects = [200, 400, 404];

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'RESOURCE-2',
  title: 'any string in a path parameter gets 200, 400 or 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  steps: inputSteps('another value', {
    value: { expects, times: countSettled(corpusOf(pathValues, 0)), perParameter: true },
    random: { expects, times: (_operation, fuzzRuns) => fuzzRuns, perParameter: true },
  }),
  probe: (client, steps, operation) =>
    client.joined(() =>
      probeInputs(client, steps, async (valid) =>
        operation.pathParameters.map((name) => pathValueFactor(client, name, valid)),
      ),
    ),
  evaluate: (evidence) => {
    const { operation, steps } = evidence;
    const sent = (exchange: Exchange): SentValue => sentPathValue(operation, exchange, steps.valid.at(-1));
    return evaluateInputs(evidence, {
      input: 'a value',
      isAllowed: (exchange) => isAllowedAnswer(operation, sent(exchange)),
      show: (exchange) => showSegment(sent(exchange).raw),
      violations: (wrong) => [
        ...pathValueViolations(wrong.map(sent)),
        ...notFoundEncoded(operation, [...steps.value, ...steps.repeated].map(sent), steps.valid.at(-1)),
      ],
      passes: (count) => {
        const others = [...steps.value, ...steps.random].filter((one) => !hasStatus(one, ...expects));
        const statuses = [...new Set(others.map(describeAnswer))].join(', ');
        const also = others.length === 0 ? '' : `; those that may lead elsewhere also ${statuses}`;
        return `answered 200, 400 or 404 for ${count - others.length} values that are not plain identifiers${also}`;
      },
    });
  },
});
