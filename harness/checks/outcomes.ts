import { describeAnswer } from '../evidence/answer.ts';
import type { Evaluation, Violation } from '../model/evaluation.ts';
import type { Exchange } from '../model/exchange.ts';

export function violatedOr(violations: readonly Violation[], otherwise: () => Evaluation): Evaluation {
  const [first, ...others] = violations;
  return first === undefined ? otherwise() : violated(first, ...others);
}

export function violated(first: Violation, ...others: readonly Violation[]): Evaluation {
  return { outcome: 'violated', violations: [first, ...others] };
}

/** The violation that a response shows by its status, or for want of one. */
export function unexpected(
  statement: string,
  expected: string,
  exchange: Exchange,
  more: Partial<Violation> = {},
): Violation {
  return { statement, expected, actual: describeAnswer(exchange), exchange, ...more };
}

/** The requirement was tested and holds. */
export function pass(message: string): Evaluation {
  return { outcome: 'pass', message };
}

type Inconclusive = Extract<Evaluation, { readonly outcome: 'inconclusive' }>;

/** The exchanges do not decide; `remedy` is the line that would complete the test. */
export function inconclusive(reason: string, remedy?: string): Inconclusive {
  return { outcome: 'inconclusive', reason, ...(remedy === undefined ? {} : { remedy }) };
}

/** The exchanges do not decide, but those of a retry may. */
export function notTested(reason: string, remedy?: string): Inconclusive {
  return { ...inconclusive(reason, remedy), transient: true };
}

/** The requirement says nothing about this operation of this target. */
export function notApplicable(reason: string): Evaluation {
  return { outcome: 'not-applicable', reason };
}

const mostNamed = 3;

/** The outcome of a case whose schema has parts that cannot be checked, where the rest holds. */
export function uncheckedOutcome(parts: readonly string[]): Inconclusive {
  const named = parts.slice(0, mostNamed).join(' and ');
  const more = parts.length > mostNamed ? ` and ${parts.length - mostNamed} more` : '';
  return inconclusive(
    `the rest of the schema holds, but ${named}${more} cannot be checked in bounded time`,
    'in the OpenAPI document, write the pattern without back references, with lookahead only after ^ and lookbehind only before $, and without large repetitions; a oneOf takes up to 500 alternatives',
  );
}
