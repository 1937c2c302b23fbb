import type { Evaluation, ExchangeEvaluation } from '../model/evaluation.ts';
import type { AdditionalRequirement } from '../model/report.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import type {
  ActiveCheck,
  Check,
  CollectiveCheck,
  Evidence,
  IdentifiedCheck,
  PassiveCheck,
} from './check.ts';

/** A requirement beyond the contract, which the check that tests it defines. */
export interface OwnRequirement extends AdditionalRequirement {
  /** Its source, such as `Platform handbook, chapter 3`. */
  readonly section?: string;
}

type With<C> = Omit<C, 'requirement'> & { readonly requirement: OwnRequirement };

/** The default export of a file in the folder that `--checks` names: a check with its requirement in place of an id. */
export type CustomCheck = With<ActiveCheck> | With<PassiveCheck> | With<CollectiveCheck>;

/** The area of all custom checks, which no other check uses. */
export const ownArea = 'own';

const ownPrefix = `${ownArea}/`;

export function isCustom(check: string): boolean {
  return check.startsWith(ownPrefix);
}

/** Names the owner of the defect when a check throws. */
export function blameOf(check: string): string {
  return isCustom(check) ? `defect of the check ${check}` : 'defect of the harness';
}

/** Milliseconds after which a probe is abandoned. */
const mostMs = 5 * 60_000;

const failures = new WeakMap<object, string>();

/** The first error that a contained check threw; undefined for none. */
export function failureOf(check: Check): string | undefined {
  return failures.get(check);
}

/** Contains a custom check: validates its evaluations, and remembers an error, so that other checks go on. */
export function containedCheck(check: IdentifiedCheck): IdentifiedCheck {
  if (check.kind === 'active') {
    // Custom checks run after all others in any case.
    const { stage: _stage, ...rest } = check;
    return {
      ...rest,
      probe: (client, operation) => inTime(check.probe(client, operation)),
      evaluate: (evidence: Evidence) => examined(check.evaluate(evidence)),
    };
  }
  const remembering = <T>(act: () => T, otherwise: T): T => {
    try {
      return act();
    } catch (error) {
      if (!failures.has(contained)) failures.set(contained, (error as Error).stack ?? String(error));
      return otherwise;
    }
  };
  const failed: Evaluation = { outcome: 'inconclusive', reason: 'the check failed' };
  const contained: IdentifiedCheck =
    check.kind === 'passive'
      ? {
          ...check,
          evaluate: (...given: Parameters<PassiveCheck['evaluate']>) =>
            remembering(() => examinedOfExchange(check.evaluate(...given)), undefined),
        }
      : {
          ...check,
          dedupeKey: (exchange) => remembering(() => check.dedupeKey(exchange), undefined),
          evaluate: (evidence: Evidence) => remembering(() => examined(check.evaluate(evidence)), failed),
        };
  return contained;
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
  const { outcome, message, reason, violations } = Object(evaluation) as Partial<Record<string, unknown>>;
  const found =
    Array.isArray(violations) && violations.length > 0 ? violations.flatMap(textsOf) : [undefined];
  const texts = { pass: [message], inconclusive: [reason], 'not-applicable': [reason], violated: found };
  return withTexts(evaluation, texts[outcome as Evaluation['outcome']] ?? [undefined]);
}

function examinedOfExchange(evaluation: ExchangeEvaluation): ExchangeEvaluation {
  if (evaluation === undefined || evaluation === 'holds') return evaluation;
  return withTexts(evaluation, textsOf(evaluation));
}

function textsOf(violation: Exclude<ExchangeEvaluation, 'holds' | undefined>): readonly unknown[] {
  const { statement, expected, actual, exchange, clause } = violation;
  // Custom requirements have no clauses.
  return [statement, expected, actual, exchange?.id, clause === undefined ? '' : undefined];
}

function withTexts<E>(evaluation: E, texts: readonly unknown[]): E {
  if (texts.every((text) => typeof text === 'string')) return evaluation;
  throw new TypeError(
    `its evaluate returned an invalid evaluation: ${JSON.stringify(evaluation)?.slice(0, 200)}`,
  );
}
