import type { Evaluation } from '../model/evaluation.ts';
import { inconclusive } from './outcomes.ts';

const mostNamed = 3;

/** The outcome of a case whose schema has parts that cannot be checked, where the rest holds. */
export function uncheckedOutcome(parts: readonly string[]): Extract<Evaluation, { outcome: 'inconclusive' }> {
  const named = parts.slice(0, mostNamed).join(' and ');
  const more = parts.length > mostNamed ? ` and ${parts.length - mostNamed} more` : '';
  return inconclusive(
    `the rest of the schema holds, but ${named}${more} cannot be checked in bounded time`,
    'in the OpenAPI document, write the pattern without back references, with lookahead only after ^ and lookbehind only before $, and without large repetitions; a oneOf takes up to 500 alternatives',
  ) as Extract<Evaluation, { outcome: 'inconclusive' }>;
}
