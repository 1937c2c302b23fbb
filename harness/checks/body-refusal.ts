import type { Operation } from '../../spec/contract.ts';
import { describeAnswer, statusOf } from '../evidence/answer.ts';
import type { Evaluation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { RawBody } from '../requests/call-spec.ts';
import type { CaseClient } from '../requests/case-client.ts';
import { condenseFailures } from './condense-failures.ts';
import { inconclusive, pass, violatedOr } from './outcomes.ts';
import { isConflict, steadyControl } from './steady-control.ts';

/** A body that must be refused with 400. */
export interface UnusualBody {
  /** What is odd about it, in a word or two. */
  readonly label: string;
  readonly body: RawBody | 'none';
}

/**
 * Sends the valid call, then the same call with each odd body. Where one of these is neither refused with 400 nor let
 * in, the valid call is sent again: what refuses that as well, be it a state or an outage, has nothing to do with bodies.
 */
export async function probeBodies(
  client: CaseClient,
  operation: Operation,
  unusualBodies: (control: Exchange | undefined) => readonly UnusualBody[],
): Promise<void> {
  const { exchange: control, missing } = await steadyControl(client, operation, { label: 'valid call' });
  const parameters = await takeParameters(client, operation, control);
  let isOpen = false;
  for (const { label, body } of unusualBodies(control).filter((odd) => client.wants(odd.label))) {
    const probe = await client.call({ role: 'probe', label, body, parameters, placeholders: true });
    isOpen ||= ![200, 400].includes(statusOf(probe) ?? 0);
  }
  if (missing !== undefined) throw missing;
  if (isOpen) await client.call({ role: 'witness', label: 'valid call again', parameters });
}

/**
 * One set of path values for all odd bodies: a session that is not cancelled is still there for the next. What the control
 * took from another answer it has used up.
 */
async function takeParameters(
  client: CaseClient,
  operation: Operation,
  control: Exchange | undefined,
): Promise<Record<string, string>> {
  const parameters: Record<string, string> = {};
  for (const name of operation.pathParameters) {
    const used = control?.request.values[name];
    if (used === undefined) continue;
    parameters[name] = used.source === 'target-file' ? used.value : String(await client.capture(name));
  }
  return parameters;
}

/** Judges calls that differ from the control in their body alone; one that is let in is wrong whatever the control says. */
export function evaluateBodyRefusals(
  exchanges: readonly Exchange[],
  rule: { readonly statement: string; readonly clause?: string },
): Evaluation {
  const control = exchanges.findLast(({ role }) => role === 'control');
  const witness = exchanges.findLast(({ role }) => role === 'witness');
  const probes = exchanges.filter(({ role }) => role === 'probe');
  if (probes.length === 0) return inconclusive('no call with another body was made');
  const isControlled = control !== undefined && statusOf(control) === 200;
  const isWitnessed = isControlled && witness !== undefined && statusOf(witness) === 200;
  const odd = probes.filter((probe) => statusOf(probe) !== 400);
  const failures = odd
    .filter((probe) => statusOf(probe) === 200 || isWitnessed)
    .map((exchange) => ({ what: exchange.label, statement: rule.statement, exchange }));
  const { statement: _statement, ...clause } = rule;
  return violatedOr(condenseFailures(failures, { expected: '400', ...clause }), () => {
    if (control === undefined) return inconclusive('refused, but no valid call is known that is not');
    if (!isControlled) {
      const reason = `refused, but the valid call was not answered 200 but ${describeAnswer(control)}`;
      return { outcome: 'inconclusive', reason, transient: isConflict(control) };
    }
    const [first] = odd;
    if (first === undefined)
      return pass(
        `refused with 400 in ${probes.length} of ${probes.length} calls, the valid one answered 200`,
      );
    const reason = `answered ${describeAnswer(first)}, but so was the valid call, with ${
      witness === undefined ? 'nothing' : describeAnswer(witness)
    }, when it was sent again`;
    return { outcome: 'inconclusive', reason, transient: true };
  });
}
