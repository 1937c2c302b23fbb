import type { CaseClient } from '../../harness/calls/case-client.ts';
import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateInputs, inputSteps } from '../../harness/checks/evaluate-inputs.ts';
import { notApplicable, notTested } from '../../harness/checks/outcomes.ts';
import { probeInputs } from '../../harness/checks/probe-inputs.ts';
import { type RefusalRule, refusalViolations } from '../../harness/checks/refusal.ts';
import { control, probe, type StepOptions } from '../../harness/checks/step.ts';
import { isBlockedInFront, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { RawBody } from '../../harness/requests/call-spec.ts';
import type { StepPlan } from '../../harness/sampling/step-plan.ts';
import { type BodyInput, freshBodies } from './fresh-bodies.ts';

/** A body that must be refused with 400. */
export interface UnusualBody extends Omit<BodyInput, 'value' | 'write'> {
  readonly body: RawBody | 'none';
}

/** Bodies that must be refused, and what to report of one that is not. */
interface RefusedBodies
  extends Pick<ActiveCheck, 'requirement' | 'title'>,
    Pick<RefusalRule, 'clauseOf' | 'told'> {
  /** Begins the headline for a body that was not refused. */
  readonly subject: string;
  readonly bodiesFor: (client: CaseClient, valid: Exchange | undefined) => readonly UnusualBody[];
  readonly planned: StepPlan;
  readonly valid?: StepOptions;
  /** When the first body is sent to what the valid call has used up. */
  readonly usedUp?: StepPlan;
  /** They say nothing where the valid body is no object either. */
  readonly areNoObjects?: true;
}

/**
 * Builds a check that sends the valid call, then the same call with each other body. After a response other than 200 and 400,
 * it sends the valid call again: what refuses that as well, such as a state or an outage, has nothing to do with bodies. An
 * accepted body is wrong whatever the valid call got.
 */
export function refusedBodies(check: RefusedBodies): ActiveCheck {
  const { requirement, title, subject, bodiesFor, planned, valid, usedUp, areNoObjects, ...rule } = check;
  return activeCheck({
    ...{ requirement, title },
    applies: ({ requestSchema }) => requestSchema !== undefined,
    steps: {
      ...inputSteps('valid call with another body', {
        value: { ...planned, expects: [400] },
        random: { times: 0 },
      }),
      valid: control('valid call', valid),
      usedUp: probe('another body, for what the valid call has used up', usedUp ?? { times: 0 }),
    },
    probe: async (client, steps) => {
      const valid = await probeInputs(client, steps, async (control) => {
        const bodies = await freshBodies(client, control, { areRefused: true });
        const corpus = client
          .chosen(bodiesFor(client, control))
          .map(({ body, ...rest }) => ({ ...rest, value: null, write: () => body }));
        return [
          bodies.factor(corpus, {
            corpus,
            isAllowed: isRefused,
            isCertain: isOk,
            sizeOf: ({ query }) => (query === undefined ? 0 : 1),
            smaller: [({ query, ...rest }) => (query === undefined ? [] : [rest])],
            keyOf: ({ id, query = '' }) => `${id} ${query}`,
          }),
        ];
      });
      const [worst] = client.chosen(bodiesFor(client, valid));
      if (worst === undefined || valid === undefined || !isOk(valid)) return;
      const label = `${worst.label}, for what the valid call has used up`;
      const row = { body: worst.id };
      if (!client.wants(steps.usedUp, { row })) return;
      await client.repeat(steps.usedUp, { label, row, body: worst.body, parameters: sentValues(valid) });
    },
    evaluate: (evidence) => {
      const { steps } = evidence;
      const known = steps.valid.at(-1)?.request.body;
      if (areNoObjects && known !== undefined && known.json !== 'object')
        return notApplicable(`the valid body is not an object either, but JSON of the type ${known.json}`);
      // A state that the valid call has changed may be refused before the body.
      const usedUp = steps.usedUp.filter(isOk);
      if (steps.value.length > 0 && usedUp.length === 0 && steps.value.every((one) => isBlockedInFront(one)))
        return notTested('a firewall refused each call, so none reached the service');
      const ofRefusal = { status: 400, subject: () => subject, ...rule } as const;
      return evaluateInputs(evidence, {
        input: 'another body',
        isAllowed: isRefused,
        isCertain: isOk,
        violations: (wrong) => refusalViolations(plainestFirst([...wrong, ...usedUp]), ofRefusal),
        passes: refusedEach,
      });
    },
  });
}

/** The calls that vary least before the others. */
function plainestFirst(exchanges: readonly Exchange[]): readonly Exchange[] {
  const size = ({ row = {} }: Exchange): number => Object.keys(row).length;
  return exchanges.toSorted((a, b) => size(a) - size(b));
}

/** What holds where each of so many bodies was refused. */
export function refusedEach(count: number): string {
  return `refused with 400 in ${count} of ${count} calls; the valid call was answered 200`;
}

/** Whether a call was answered with 400; a firewall may refuse what is in a query. */
export function isRefused(exchange: Exchange): boolean {
  return statusOf(exchange) === 400 || (exchange.row?.['query'] !== undefined && isBlockedInFront(exchange));
}
