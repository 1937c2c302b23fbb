import { groupBy } from '../../group-by.ts';
import { bounded } from './answer-text.ts';
import { type Sighting, statusIn } from './sighting.ts';

/** Requirements on refusals of different kinds: one operation that violates so many with a 200 refuses nothing. */
const mostKinds = 3;

/** Members by which a body says that the call failed. */
const saysFailure = /"(?:success|ok|succeeded)"\s*:\s*(?:false|0)|"status"\s*:\s*"(?:error|failed|failure)"/i;

/**
 * What to do about an operation that answers its refusals with 200 and a body that says that the call failed; undefined
 * where it does not.
 */
export function swallowedFix(sighting: Sighting, all: readonly Sighting[]): string | undefined {
  if (!isSwallowed(sighting)) return undefined;
  const kinds = groupBy(
    all.filter((one) => one.exchange.operation === sighting.exchange.operation && isSwallowed(one)),
    ({ requirement }) => requirement,
  );
  if (kinds.size < mostKinds) return undefined;
  const body = bounded(sighting.exchange.response?.body.text ?? '');
  return `${sighting.exchange.operation} answers 200 to calls that it refuses (${body}): an exception is caught and answered as success. Let it reach the error handler, which sets the status.`;
}

function isSwallowed(one: Sighting): boolean {
  return statusIn(one) === 200 && saysFailure.test(one.exchange.response?.body.text ?? '');
}
