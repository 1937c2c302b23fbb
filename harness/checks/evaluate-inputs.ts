import { sharedResource } from '../../spec/operation.ts';
import { describeAnswer, statusOf } from '../evidence/answer.ts';
import type { Evaluation, Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';
import type { StepEvidence } from './check.ts';
import { inconclusive, notTested, pass, violatedOr } from './outcomes.ts';
import type { InputSteps } from './probe-inputs.ts';
import { isConflict } from './steady-control.ts';
import { control, probe, reduction, type StepOptions, type UnnamedStep, witness } from './step.ts';

/** The steps before they have names; all inputs but those of the corpus share a label. */
export function inputSteps(
  label: string,
  options: { readonly value: StepOptions; readonly random: StepOptions },
): Readonly<Record<keyof InputSteps, UnnamedStep>> {
  return {
    valid: control('valid call'),
    value: probe('a value of the corpus', options.value),
    random: probe(label, options.random),
    repeated: probe(label, { followUp: true }),
    smaller: reduction(label),
    recovery: witness('valid call after an unexpected response', { followUp: true }),
  };
}

/** The parts of an evaluation that depend on the kind of input. */
export interface InputRule {
  /** The input in words, such as `a body`. */
  readonly input: string;
  readonly isAllowed: (exchange: Exchange) => boolean;
  /** Whether a response is wrong even where the valid call does not succeed; by default, one that breaks the target. */
  readonly isCertain?: (exchange: Exchange) => boolean;
  /** The input for people to read; empty where it takes more than a few words. */
  readonly show?: (exchange: Exchange) => string;
  readonly violations: (wrong: readonly Exchange[]) => readonly Violation[];
  /** The message of a pass for this many inputs. */
  readonly passes: (count: number) => string;
}

/** Evaluates calls that differ from the control in one input. */
export function evaluateInputs(
  { operation, omittedCount = 0, steps }: StepEvidence<InputSteps>,
  rule: InputRule,
): Evaluation {
  const { value, random, repeated, smaller, recovery } = steps;
  const control = steps.valid.at(-1);
  const isControlAccepted = control !== undefined && statusOf(control) === 200;
  const sent = lastOfEach([...value, ...random, ...repeated]);
  if (sent.length === 0) return inconclusive(`no call with ${rule.input} was sent`);
  const wrong = lastOfEach([...sent, ...smaller]).filter((exchange) => !rule.isAllowed(exchange));
  const recoveriesOf = (exchange: Exchange): readonly Exchange[] =>
    recovery.filter(({ row }) => isControlAccepted && row?.['company'] === describeAnswer(exchange));
  // A target that no longer answers at all may have stopped for any reason; one that keeps answering 5xx broke because of
  // the first such input.
  const breaksTarget = (exchange: Exchange): boolean => {
    const status = statusOf(exchange);
    if (status === undefined) return false;
    if (!isControlAccepted) return !operation.statuses.includes(status);
    const isFirst = wrong.find((one) => statusOf(one) === status) === exchange;
    return status >= 500 && isFirst && recoveriesOf(exchange).length > 0;
  };
  const { isCertain = breaksTarget } = rule;
  const certain = wrong.filter(
    (exchange) => isCertain(exchange) || recoveriesOf(exchange).some((one) => statusOf(one) === 200),
  );
  return violatedOr(rule.violations(certain), () => {
    if (control === undefined) return inconclusive('no valid call could be sent');
    if (!isControlAccepted) {
      const reason = `the valid call was answered ${describeAnswer(control)}`;
      const transient = isConflict(control) && sharedResource(operation) !== undefined;
      return { outcome: 'inconclusive', reason, transient };
    }
    const [first] = wrong;
    if (first === undefined) return pass(rule.passes(sent.length + omittedCount));
    const input = `${rule.input} ${rule.show?.(first) ?? ''}`.trim();
    return notTested(
      `after ${input} was answered ${describeAnswer(first)}, so was the valid call`,
      isConflict(first) ? undefined : 'exempt the address of the harness from whatever protects the target',
    );
  });
}

/** Of an input that was sent twice because the target was unavailable, the second exchange. */
function lastOfEach(sent: readonly Exchange[]): readonly Exchange[] {
  return [...new Map(sent.map((exchange) => [sentInput(exchange), exchange] as const)).values()];
}

function sentInput({ row = {}, request }: Exchange): string {
  const sent = Object.keys(row).map((name) => request.values[name]?.value ?? request.body?.text);
  return JSON.stringify([row, sent]);
}
