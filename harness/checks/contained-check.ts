import type { Evaluation, ExchangeEvaluation } from '../model/evaluation.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type { ActiveCheck, Check, CollectiveCheck, IdentifiedCheck, PassiveCheck } from './check.ts';
import { isCustom } from './custom-check.ts';

/** Milliseconds after which a probe is abandoned. */
const mostMs = 5 * 60_000;

const failures = new WeakMap<object, string>();

/**
 * Contains a custom check: remembers an error that it throws while exchanges are recorded, so that other checks go on, and
 * validates its evaluations.
 */
export function containedCheck(check: IdentifiedCheck): IdentifiedCheck {
  switch (check.kind) {
    case 'active':
      return containedActive(check);
    case 'passive':
      return containedPassive(check);
    case 'collective':
      return containedCollective(check);
  }
}

function containedActive(check: IdentifiedCheck<ActiveCheck>): IdentifiedCheck<ActiveCheck> {
  // Custom checks run after all others in any case.
  const { stage: _stage, ...rest } = check;
  return {
    ...rest,
    probe: (client, operation) => inTime(check.probe(client, operation)),
    evaluate: (evidence) => examined(check.evaluate(evidence)),
  };
}

function containedPassive(check: IdentifiedCheck<PassiveCheck>): IdentifiedCheck {
  const contained: IdentifiedCheck<PassiveCheck> = {
    ...check,
    evaluate: (...given) =>
      remembering(contained, () => examinedOfExchange(check.evaluate(...given)), undefined),
  };
  return contained;
}

function containedCollective(check: IdentifiedCheck<CollectiveCheck>): IdentifiedCheck {
  const failed: Evaluation = { outcome: 'inconclusive', reason: 'the check failed' };
  const contained: IdentifiedCheck<CollectiveCheck> = {
    ...check,
    dedupeKey: (exchange) => remembering(contained, () => check.dedupeKey(exchange), undefined),
    evaluate: (evidence) => remembering(contained, () => examined(check.evaluate(evidence)), failed),
  };
  return contained;
}

/** The first error that a contained check threw; undefined where it threw none. */
export function failureOf(check: Check): string | undefined {
  return failures.get(check);
}

/** Names the owner of the defect when a check throws. */
export function blameOf(check: string): string {
  return isCustom(check) ? `defect of the check ${check}` : 'defect of the harness';
}

function remembering<T>(check: object, act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (!failures.has(check)) failures.set(check, (error as Error).stack ?? String(error));
    return otherwise;
  }
}

async function inTime(probe: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      probe,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new InconclusiveError(`its probe did not end within ${mostMs / 1000} s`)),
          mostMs,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function examined(evaluation: Evaluation): Evaluation {
  refuse(evaluation, textsOfEvaluation(evaluation));
  return evaluation;
}

function textsOfEvaluation(evaluation: Evaluation | undefined): readonly unknown[] {
  switch (evaluation?.outcome) {
    case 'pass':
      return [evaluation.message];
    case 'inconclusive':
    case 'not-applicable':
      return [evaluation.reason];
    case 'violated':
      return evaluation.violations.length === 0 ? [undefined] : evaluation.violations.flatMap(textsOf);
    default:
      return [undefined];
  }
}

function examinedOfExchange(evaluation: ExchangeEvaluation): ExchangeEvaluation {
  if (evaluation === undefined || evaluation === 'holds') return evaluation;
  refuse(evaluation, textsOf(evaluation));
  return evaluation;
}

function textsOf(violation: Exclude<ExchangeEvaluation, 'holds' | undefined>): readonly unknown[] {
  const { statement, expected, actual, exchange, clause } = violation;
  // Custom requirements have no clauses.
  return [statement, expected, actual, exchange?.id, clause === undefined ? '' : undefined];
}

function refuse(evaluation: unknown, texts: readonly unknown[]): void {
  if (texts.every((text) => typeof text === 'string')) return;
  throw new TypeError(
    `its evaluate returned an invalid evaluation: ${JSON.stringify(evaluation)?.slice(0, 200)}`,
  );
}
