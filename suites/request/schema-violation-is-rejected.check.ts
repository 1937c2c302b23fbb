import type { ActiveCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { inconclusive, uncheckedOutcome, violated } from '../../harness/checks/outcomes.ts';
import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { SchemaVerdict } from '../../harness/openapi/compile-schema.ts';
import { refusedEach } from './refused-bodies.ts';
import { schemaCheck, verdictOn } from './request-schema.ts';
import {
  mayAnswerViolation,
  mostViolations,
  schemaRefusalViolations,
  violatingBodies,
} from './violating-bodies.ts';

export const check: ActiveCheck = schemaCheck({
  title: 'a body that violates the schema of the supplied document gets 400, one that satisfies it does not',
  steps: inputSteps('a made-up body', {
    value: { times: mostViolations, expects: [400] },
    random: { times: (_operation, fuzzRuns) => fuzzRuns },
  }),
  factor: violatingBodies,
  evaluate: (evidence, known) => {
    const { operation, steps } = evidence;
    // What was sent counts, not what it was meant to be.
    const isViolating = (exchange: Exchange): boolean => verdictOn(known, exchange)?.ok === false;
    const control = steps.valid.at(-1);
    const verdict = control && verdictOn(known, control);
    const { unchecked = [] } = known.validate;
    const contradiction = control && verdict && contradictionOf(control, verdict);
    // A body that was refused may violate what was not checked.
    if (contradiction !== undefined && !(verdict?.ok && (unchecked.length > 0 || verdict.unfinished)))
      return contradiction;
    if (control !== undefined && verdict?.ok === false) {
      return inconclusive(
        `the known body violates the supplied document (${verdict.errors.join('; ')}) and was answered ${describeAnswer(control)}`,
        `bodies: { ${operation.id}: { … a valid ${operation.requestSchema} … } }`,
      );
    }
    const sent = [...steps.value, ...steps.random, ...steps.repeated];
    if (control !== undefined && !sent.some(isViolating))
      return inconclusive('no change was found that makes the known body violate its schema');
    const evaluation = evaluateInputs(evidence, {
      input: 'another body',
      isAllowed: (exchange) => !isViolating(exchange) || mayAnswerViolation(exchange),
      isCertain: isOk,
      violations: schemaRefusalViolations,
      passes: refusedEach,
    });
    return evaluation.outcome === 'pass' && unchecked.length > 0 ? uncheckedOutcome(unchecked) : evaluation;
  },
});

/** The violation where the target answers the known body otherwise than its schema says. */
function contradictionOf(exchange: Exchange, verdict: SchemaVerdict): Evaluation | undefined {
  const status = statusOf(exchange);
  if (verdict.ok && status === 400) {
    const statement = 'A body that satisfies its schema was refused';
    return violated({ statement, expected: 'not 400', actual: '400', exchange });
  }
  if (verdict.ok || status !== 200) return undefined;
  const statement = `A body that violates its schema was accepted: ${verdict.errors.join('; ')}`;
  return violated({ statement, expected: '400', actual: '200', exchange });
}
