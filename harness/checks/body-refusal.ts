import type { Operation } from '../../spec/operation.ts';
import { describeAnswer, statusOf } from '../evidence/answer.ts';
import { sentValues } from '../evidence/sent-values.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { RawBody } from '../requests/call-spec.ts';
import type { CaseClient } from '../requests/case-client.ts';
import type { ProfileRange } from '../sampling/profile.ts';
import type { Count, StepPlan } from '../sampling/step-plan.ts';
import type { ExchangesByStep } from './active-check.ts';
import { condenseFailures } from './condense-failures.ts';
import { inconclusive, notTested, pass, violatedOr } from './outcomes.ts';
import { isConflict, steadyControl } from './steady-control.ts';
import { control, namedSteps, probe, type Step, witness } from './step.ts';

/** A body that must be refused with 400. */
export interface UnusualBody extends ProfileRange {
  /** Its value in the row of a call. */
  readonly id: string;
  /** What is unusual about it, in a word or two. */
  readonly label: string;
  readonly body: RawBody | 'none';
  /** Sent with it, as in a call. */
  readonly query?: string;
}

/** The steps of a check that varies the body of a valid call. */
export type BodySteps = Readonly<Record<'valid' | 'otherBody' | 'usedUp' | 'validAgain', Step>>;

/** Steps that send so many other bodies, and one more to what the valid call has used up. */
export function bodySteps(times: Count, usedUp: StepPlan = { times: 0 }): BodySteps {
  return namedSteps({
    valid: control('valid call'),
    otherBody: probe('valid call with another body', { times, expects: [400] }),
    usedUp: probe('another body, for what the valid call has used up', usedUp),
    validAgain: witness('valid call again', { followUp: true }),
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
  const { exchange: valid, missing } = await steadyControl(client, operation, steps.valid);
  const parameters = await client.forRefusal(() => takeParameters(client, operation, valid));
  let isOpen = false;
  const bodies = client.chosen(bodiesFor(valid));
  for (const { id, label, body, query = '' } of bodies) {
    const isPlain = query === '';
    const row = { body: id, ...(isPlain ? {} : { query: 'members-of-the-body' }) };
    if (!client.wants(steps.otherBody, { row })) continue;
    const exchange = await client.call(steps.otherBody, {
      label,
      row,
      body,
      ...(isPlain ? {} : { query }),
      parameters,
      placeholders: true,
    });
    isOpen ||= ![200, 400].includes(statusOf(exchange) ?? 0);
  }
  const [worst] = bodies;
  const isUsedUp = valid !== undefined && statusOf(valid) === 200;
  if (worst !== undefined && isUsedUp && client.times(steps.usedUp) > 0) {
    const label = `${worst.label}, for what the valid call has used up`;
    const row = { body: worst.id };
    if (client.wants(steps.usedUp, { row }))
      await client.call(steps.usedUp, { label, row, body: worst.body, parameters: sentValues(valid) });
  }
  if (missing !== undefined) throw missing;
  if (isOpen) await client.call(steps.validAgain, { parameters });
}

/**
 * Path values for all other bodies: a session that is not cancelled is still there for the next body. The control has
 * used up what it took from an earlier response.
 */
async function takeParameters(
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
  { valid, otherBody, usedUp, validAgain }: ExchangesByStep<BodySteps>,
  rule: {
    /** What the body is, such as `An absent body`. */
    readonly subject: string;
    /** The weaker clause that an accepted body violates; undefined for the requirement itself. */
    readonly clauseOf?: (exchange: Exchange) => string | undefined;
  },
): Evaluation {
  const { subject, clauseOf = () => undefined } = rule;
  const control = valid.at(-1);
  const again = validAgain.at(-1);
  if (otherBody.length === 0) return inconclusive('no call with another body was sent');
  const isControlAccepted = control !== undefined && statusOf(control) === 200;
  const isStillAccepted = isControlAccepted && again !== undefined && statusOf(again) === 200;
  const wrong = otherBody.filter((exchange) => statusOf(exchange) !== 400);
  // A state that the valid call has changed may be refused before the body.
  const failures = [...wrong, ...usedUp.filter((exchange) => statusOf(exchange) === 200)]
    .filter((exchange) => statusOf(exchange) === 200 || isStillAccepted)
    .map((exchange) => ({
      what: exchange.label,
      statement: `${subject} ${statusOf(exchange) === 200 ? 'was accepted' : 'was not refused with 400'}`,
      exchange,
    }));
  const clauses = [...new Set(failures.map(({ exchange }) => clauseOf(exchange)))];
  const violations = clauses.flatMap((clause) =>
    condenseFailures(
      failures.filter(({ exchange }) => clauseOf(exchange) === clause),
      { expected: '400', ...(clause === undefined ? {} : { clause }) },
    ),
  );
  return violatedOr(violations, () => {
    if (control === undefined) return inconclusive('refused, but no valid call is known to compare with');
    if (!isControlAccepted) {
      const reason = `refused, but the valid call was not answered 200 but ${describeAnswer(control)}`;
      return { outcome: 'inconclusive', reason, transient: isConflict(control) };
    }
    const [first] = wrong;
    if (first === undefined) {
      const count = otherBody.length;
      return pass(`refused with 400 in ${count} of ${count} calls, the valid call was answered 200`);
    }
    const answer = again === undefined ? 'nothing' : describeAnswer(again);
    return notTested(
      `answered ${describeAnswer(first)}, but so was the valid call, with ${answer}, when it was sent again`,
    );
  });
}
