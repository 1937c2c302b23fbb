import type { Step } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { isJsonMembers } from '../../harness/fuzzing/json-places.ts';
import { sampleSchema } from '../../harness/fuzzing/sample-schema.ts';
import { smallerJson } from '../../harness/fuzzing/smaller-json.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Json } from '../../harness/model/target.ts';
import { schemaViolations } from '../../harness/openapi/schema-violations.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import type { Operation } from '../../spec/operation.ts';
import { isExcludedBody } from './body-classes.ts';
import { otherBody } from './body-input.ts';
import { FreshBodies } from './fresh-bodies.ts';
import type { RequestSchema } from './request-schema.ts';

/** Requests that make one body smaller. */
const mostReductions = 40;

/**
 * Sends bodies made up from the schema, each with one violation; half of them hold what the valid body names. Reduces
 * the first that is accepted.
 */
export async function probeMadeUpBodies(
  client: CaseClient,
  operation: Operation,
  valid: Exchange,
  { compiled, schema, validate }: RequestSchema,
  steps: { readonly madeUp: Step; readonly smaller: Step; readonly mostViolations: number },
): Promise<void> {
  const random = client.random('made-up bodies');
  const seed = Math.floor(random() * 2 ** 31);
  const madeUp = sampleSchema(compiled.content, schema, validate, { seed, count: client.fuzzRuns });
  const bodies = await FreshBodies.after(client, operation, valid);
  const isAccepted = async (step: Step, value: Json): Promise<boolean> =>
    !isExcludedBody(client, value, bodies.valid) &&
    statusOf(await bodies.call(step, { ...otherBody(value), id: 'made-up', label: step.label })) === 200;
  let accepted: Json | undefined;
  for (const [at, value] of madeUp.entries()) {
    const isMixed = at % 2 === 0 && isJsonMembers(value) && isJsonMembers(bodies.valid);
    const mixed: Json = isMixed ? { ...value, ...bodies.valid } : value;
    const base = validate(mixed).ok ? mixed : value;
    const violations = schemaViolations(compiled, schema, base, validate, steps.mostViolations);
    const violation = violations[Math.floor(random() * violations.length)];
    if (violation === undefined) continue;
    const body = violation.body as Json;
    if (await isAccepted(steps.madeUp, body)) accepted ??= body;
  }
  if (accepted === undefined || client.earlier.length > 0) return;
  await client.smallest(accepted, {
    smaller: (value) => smallerJson(value, bodies.valid),
    keyOf: (value) => JSON.stringify(value),
    stillFails: async (value) => !validate(value).ok && (await isAccepted(steps.smaller, value)),
    budget: mostReductions,
  });
}

/**
 * The smallest made-up body that was accepted. Other responses than 400 are no violation: these bodies name what the
 * target may not have.
 */
export function acceptedMadeUpBodies(
  exchanges: readonly Exchange[],
  statement: string,
): readonly Violation[] {
  const [smallest] = exchanges
    .filter((exchange) => statusOf(exchange) === 200)
    .sort((a, b) => (a.request.body?.bytes ?? 0) - (b.request.body?.bytes ?? 0));
  if (smallest === undefined) return [];
  const text = smallest.request.body?.text ?? '';
  const detail = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return [{ statement, expected: '400', actual: '200', detail, exchange: smallest }];
}
