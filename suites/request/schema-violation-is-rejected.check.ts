import { activeCheck } from '../../harness/checks/active-check.ts';
import {
  bodySteps,
  evaluateBodyRefusals,
  probeBodies,
  type UnusualBody,
} from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, violated, violatedOr } from '../../harness/checks/outcomes.ts';
import { namedSteps, probe, reduction } from '../../harness/checks/step.ts';
import { uncheckedOutcome } from '../../harness/checks/unchecked.ts';
import { describeAnswer, parseBody, statusOf } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import type { SchemaVerdict } from '../../harness/openapi/compile-document.ts';
import { schemaViolations } from '../../harness/openapi/schema-violations.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { isExcludedBody } from './body-classes.ts';
import { acceptedMadeUpBodies, probeMadeUpBodies } from './made-up-bodies.ts';
import { type RequestSchema, requestSchemaOf, withoutRequestSchema } from './request-schema.ts';

/** Enough for each single change to a body of a dozen members; a larger one gets every kind of change. */
const mostViolations = 48;
const subject = 'A body that violates its schema';

const steps = {
  ...bodySteps(mostViolations),
  ...namedSteps({
    // All made-up bodies share a label: findings are the same for every seed.
    madeUp: probe('a made-up body', { times: (_operation, fuzzRuns) => fuzzRuns }),
    smaller: reduction('a made-up body'),
  }),
};

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'REQUEST-3',
  title: 'a body that violates the schema of the supplied document gets 400, one that satisfies it does not',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  needsDocument: true,
  steps,
  probe: async (client, operation) => {
    const known = requestSchemaOf(client.document, operation);
    if (known === undefined) return;
    const bodies = await violateFreshBodies(client, known);
    await probeBodies(client, operation, steps, () => bodies);
    const valid = client.exchanges.findLast(({ step }) => step === steps.valid.step);
    if (valid === undefined || statusOf(valid) !== 200) return;
    await probeMadeUpBodies(client, operation, valid, known, { ...steps, mostViolations });
  },
  evaluate: ({ operation, document, steps }) => {
    const known = requestSchemaOf(document, operation);
    if (known === undefined) return withoutRequestSchema(document);
    const verdictOn = ({ request }: Exchange): SchemaVerdict | undefined => {
      const body = parseBody(request.body);
      return body === undefined ? undefined : known.validate(body);
    };
    // What was sent counts, not what it was meant to be.
    const violating = (sent: readonly Exchange[]): readonly Exchange[] =>
      sent.filter((exchange) => verdictOn(exchange)?.ok === false);
    const control = steps.valid.at(-1);
    const verdict = control && verdictOn(control);
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
    const otherBody = violating(steps.otherBody);
    if (control !== undefined && otherBody.length === 0)
      return inconclusive('no change was found that makes the known body violate its schema');
    const evaluation = evaluateBodyRefusals({ ...steps, otherBody }, { subject });
    if (evaluation.outcome === 'violated') return evaluation;
    const madeUp = violating([...steps.madeUp, ...steps.smaller]);
    return violatedOr(acceptedMadeUpBodies(madeUp, `${subject} was accepted`), () =>
      evaluation.outcome === 'pass' && unchecked.length > 0 ? uncheckedOutcome(unchecked) : evaluation,
    );
  },
});

export default check;

/** Makes each violation from a valid body of its own: a login return that was consumed is refused for that already. */
async function violateFreshBodies(
  client: CaseClient,
  { compiled, schema, validate }: RequestSchema,
): Promise<readonly UnusualBody[]> {
  const violate = async (): Promise<readonly UnusualBody[]> => {
    const valid = await client.validBody();
    // No single change can be made to what violates the schema already.
    if (!validate(valid).ok) return [];
    return schemaViolations(compiled, schema, valid, validate, mostViolations)
      .filter(({ body }) => !isExcludedBody(client, body as Json, valid))
      .map(({ id, body }) => ({ id, label: id, body: jsonBody(body as Json) }));
  };
  const made: UnusualBody[] = [];
  for (const { id } of await violate()) {
    const fresh = (await violate()).find((other) => other.id === id);
    if (fresh !== undefined) made.push(fresh);
  }
  return made;
}

/** The violation where the target answers the known body otherwise than its schema says. */
function contradictionOf(exchange: Exchange, verdict: SchemaVerdict): Evaluation | undefined {
  const status = statusOf(exchange);
  if (verdict.ok && status === 400) {
    const statement = 'A body that satisfies its schema was refused';
    return violated({ statement, expected: 'not 400', actual: '400', exchange });
  }
  if (verdict.ok || status !== 200) return undefined;
  const statement = `${subject} was accepted: ${verdict.errors.join('; ')}`;
  return violated({ statement, expected: '400', actual: '200', exchange });
}
