import type { Operation } from '../../spec/operation.ts';
import type { CaseClient } from '../calls/case-client.ts';
import { isOk, statusOf } from '../evidence/answer.ts';
import { sentValues } from '../evidence/sent-values.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange, Row } from '../model/exchange.ts';
import type { RawBody } from '../requests/call-spec.ts';
import { ridersOf } from '../requests/riders.ts';
import type { StepPlan } from '../sampling/step-plan.ts';
import type { StepEvidence } from './check.ts';
import { evaluateInputs, inputSteps } from './evaluate-inputs.ts';
import { type Input, type InputFactor, type InputSteps, probeInputs } from './probe-inputs.ts';
import { type RefusalRule, refusalViolations } from './refusal.ts';
import { namedSteps, probe, type Step } from './step.ts';

/** A body that must be refused with 400. */
export interface UnusualBody extends Input {
  readonly body: RawBody | 'none';
  /** Sent with it, as in a call. */
  readonly query?: string;
}

/** The steps of a check that varies the body of a valid call. */
export type BodySteps = InputSteps & { readonly usedUp: Step };

/** Steps that send other bodies, and one more to what the valid call has used up. */
export function bodySteps(values: StepPlan, usedUp: StepPlan = { times: 0 }): BodySteps {
  return namedSteps({
    ...inputSteps('valid call with another body', {
      value: { ...values, expects: [400] },
      random: { times: 0 },
    }),
    usedUp: probe('another body, for what the valid call has used up', usedUp),
  });
}

/**
 * Sends the valid call, then the same call with each other body. After a response other than 200 and 400, sends the
 * valid call again: what refuses that as well, such as a state or an outage, has nothing to do with bodies.
 */
export async function probeBodies(
  client: CaseClient,
  operation: Operation,
  steps: BodySteps,
  bodiesFor: (valid: Exchange | undefined) => readonly UnusualBody[],
): Promise<void> {
  const valid = await probeInputs(client, operation, steps, async (control) => [
    refusalFactor(client, operation, control, client.chosen(bodiesFor(control))),
  ]);
  const [worst] = client.chosen(bodiesFor(valid));
  const isUsedUp = valid !== undefined && statusOf(valid) === 200;
  if (worst === undefined || !isUsedUp || client.times(steps.usedUp) === 0) return;
  const label = `${worst.label}, for what the valid call has used up`;
  const row = { body: worst.id };
  if (client.wants(steps.usedUp, { row }))
    await client.call(steps.usedUp, { label, row, body: worst.body, parameters: sentValues(valid) });
}

function refusalFactor(
  client: CaseClient,
  operation: Operation,
  valid: Exchange | undefined,
  corpus: readonly UnusualBody[],
): InputFactor<UnusualBody> {
  let parameters: Readonly<Record<string, string>> | undefined;
  return {
    corpus,
    send: async (step, input, again) => {
      parameters ??= await client.forRefusal(() => takeParameters(client, operation, valid));
      const { label, body, query } = input;
      const exchange = await client.call(step, {
        label,
        row: rowOf(input),
        body,
        parameters,
        placeholders: true,
        ...(query && { query }),
        ...(again && { neutral: ridersOf(again) }),
      });
      // What is accepted uses up what it names.
      if (statusOf(exchange) === 200) parameters = undefined;
      return exchange;
    },
    isAllowed: isRefused,
    isCertain: isOk,
    // The session that was named is still there, unless another case has ended it.
    recovery: () => {
      const named = parameters;
      parameters = undefined;
      return named && { parameters: named };
    },
    repeated: ({ row }) => corpus.find((one) => JSON.stringify(rowOf(one)) === JSON.stringify(row)),
    keyOf: ({ id }) => id,
  };
}

function rowOf({ id, query }: UnusualBody): Row {
  return { body: id, ...(query && { query: 'members-of-the-body' }) };
}

/**
 * Path values for other bodies: a session that is not cancelled is still there for the next body. The control has used up
 * what it took from an earlier response.
 */
export async function takeParameters(
  client: CaseClient,
  operation: Operation,
  valid: Exchange | undefined,
): Promise<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const name of operation.pathParameters) {
    const used = valid?.request.values[name];
    if (used === undefined) continue;
    parameters[name] = used.source === 'target-file' ? used.value : String(await client.capture(name));
  }
  return parameters;
}

/** Evaluates calls that differ from the control in their body alone; an accepted one is wrong whatever the control got. */
export function evaluateBodyRefusals(
  evidence: StepEvidence<BodySteps>,
  rule: Omit<RefusalRule, 'status'>,
): Evaluation {
  // A state that the valid call has changed may be refused before the body.
  const usedUp = evidence.steps.usedUp.filter(isOk);
  return evaluateInputs(evidence, {
    input: 'another body',
    isAllowed: isRefused,
    isCertain: isOk,
    violations: (wrong) => refusalViolations([...wrong, ...usedUp], { status: 400, ...rule }),
    passes: refusedEach,
  });
}

/** What holds where each of so many bodies was refused. */
export function refusedEach(count: number): string {
  return `refused with 400 in ${count} of ${count} calls, the valid call was answered 200`;
}

/** Whether a call was answered with 400. */
export function isRefused(exchange: Exchange): boolean {
  return statusOf(exchange) === 400;
}
