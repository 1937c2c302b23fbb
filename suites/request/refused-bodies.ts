import type { CaseClient } from '../../harness/calls/case-client.ts';
import type { StepEvidence } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { notTested } from '../../harness/checks/outcomes.ts';
import { type InputSteps, probeInputs } from '../../harness/checks/probe-inputs.ts';
import { type RefusalRule, refusalViolations } from '../../harness/checks/refusal.ts';
import { probe, type Step, type UnnamedStep } from '../../harness/checks/step.ts';
import { isBlockedInFront, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { factorOf } from './body-factor.ts';
import type { BodyInput } from './body-input.ts';
import { freshBodies } from './fresh-bodies.ts';

/** A body that must be refused with 400. */
export interface UnusualBody extends Omit<BodyInput, 'value' | 'write'> {
  readonly body: RawBody | 'none';
}

/** The steps of a check that varies the body of a valid call. */
type BodySteps = InputSteps & { readonly usedUp: Step };

/** Steps that send other bodies, and one more to what the valid call has used up. */
export function bodySteps(
  values: StepPlan,
  usedUp: StepPlan = { times: 0 },
): Readonly<Record<keyof BodySteps, UnnamedStep>> {
  return {
    ...inputSteps('valid call with another body', {
      value: { ...values, expects: [400] },
      random: { times: 0 },
    }),
    usedUp: probe('another body, for what the valid call has used up', usedUp),
  };
}

/**
 * Sends the valid call, then the same call with each other body. After a response other than 200 and 400, sends the
 * valid call again: what refuses that as well, such as a state or an outage, has nothing to do with bodies.
 */
export async function probeBodies(
  client: CaseClient,
  steps: BodySteps,
  bodiesFor: (valid: Exchange | undefined) => readonly UnusualBody[],
): Promise<void> {
  const valid = await probeInputs(client, steps, async (control) => {
    const bodies = await freshBodies(client, control, { areRefused: true });
    const corpus = client
      .chosen(bodiesFor(control))
      .map(({ body, ...rest }) => ({ ...rest, value: null, write: () => body }));
    return [
      factorOf(bodies, corpus, {
        corpus,
        isAllowed: isRefused,
        isCertain: isOk,
        sizeOf: ({ query }) => (query === undefined ? 0 : 1),
        smaller: [({ query, ...rest }) => (query === undefined ? [] : [rest])],
        keyOf: ({ id, query = '' }) => `${id} ${query}`,
      }),
    ];
  });
  const [worst] = client.chosen(bodiesFor(valid));
  if (worst === undefined || valid === undefined || !isOk(valid)) return;
  const label = `${worst.label}, for what the valid call has used up`;
  const row = { body: worst.id };
  if (!client.wants(steps.usedUp, { row })) return;
  await client.repeat(steps.usedUp, { label, row, body: worst.body, parameters: sentValues(valid) });
}

/** Evaluates calls that differ from the control in their body alone; an accepted one is wrong whatever the control got. */
export function evaluateBodyRefusals(
  evidence: StepEvidence<BodySteps>,
  rule: Omit<RefusalRule, 'status'>,
): Evaluation {
  // A state that the valid call has changed may be refused before the body.
  const usedUp = evidence.steps.usedUp.filter(isOk);
  const sent = [...evidence.steps.value, ...evidence.steps.random];
  if (sent.length > 0 && usedUp.length === 0 && sent.every((one) => isBlockedInFront(one)))
    return notTested('a firewall refused each call, so that none reached the service');
  return evaluateInputs(evidence, {
    input: 'another body',
    isAllowed: isRefused,
    isCertain: isOk,
    violations: (wrong) => refusalViolations(plainestFirst([...wrong, ...usedUp]), { status: 400, ...rule }),
    passes: refusedEach,
  });
}

/** The calls that vary least before the others. */
function plainestFirst(exchanges: readonly Exchange[]): readonly Exchange[] {
  const size = ({ row = {} }: Exchange): number => Object.keys(row).length;
  return exchanges.toSorted((a, b) => size(a) - size(b));
}

/** What holds where each of so many bodies was refused. */
export function refusedEach(count: number): string {
  return `refused with 400 in ${count} of ${count} calls, the valid call was answered 200`;
}

/** Whether a call was answered with 400; a firewall may refuse what is in a query. */
export function isRefused(exchange: Exchange): boolean {
  return statusOf(exchange) === 400 || (exchange.row?.['query'] !== undefined && isBlockedInFront(exchange));
}
