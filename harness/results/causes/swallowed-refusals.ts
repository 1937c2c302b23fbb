import { groupBy } from '../../group-by.ts';
import { bounded } from '../../visible-text.ts';
import { ownWords } from './answer-text.ts';
import { isPlain, type Sighting, statusIn } from './sighting.ts';

/** Requirements on refusals of different kinds: an operation that violates this many with a 200 refuses nothing. */
const mostKinds = 3;

/** Members by which a body says that the call failed. */
const saysFailure = /"(?:success|ok|succeeded)"\s*:\s*(?:false|0)|"status"\s*:\s*"(?:error|failed|failure)"/i;

/**
 * The fix for an operation that answers its refusals with 200 and a body that says that the call failed; undefined
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

/** Minimum number of operations that crash instead of a 404 or 400, for a cause outside these operations. */
const fewest = { resource: 3, request: 2 };

/** Requirements on refusals of a key, a body, and a value: an operation that crashes at all of them fails to refuse. */
const kindsOfRefusal = [/^(?:AUTH-[23]|SCOPE-1)$/, /^REQUEST-/, /^(?:RESOURCE-1|LOGIN-1)$/];

/**
 * The fix for a service that answers 500 in the same words where it must refuse unknown resources and wrong bodies at
 * several operations, or keys, bodies and unknown values at one; undefined where it does not.
 */
export function crashedFix(sighting: Sighting, all: readonly Sighting[]): string | undefined {
  if (!isCrash(sighting)) return undefined;
  const alike = all.filter((one) => isCrash(one) && ownWords(one.exchange) === ownWords(sighting.exchange));
  const isAtSeveral = (requirements: RegExp, least: number): boolean =>
    new Set(alike.filter((one) => requirements.test(one.requirement)).map(({ operation }) => operation))
      .size >= least;
  const { operation } = sighting;
  if (
    kindsOfRefusal.every((kind) =>
      alike.some((one) => one.operation === operation && kind.test(one.requirement)),
    )
  )
    return `${operation} answers 500 to every call that it must refuse, in the same words: the code that writes, logs or traces its refusals fails. Search your log for the exception of one of these calls.`;
  return isAtSeveral(/^RESOURCE-1/, fewest.resource) && isAtSeveral(/^REQUEST-/, fewest.request)
    ? 'Let each refusal reach its own handler: the service answers 500 where it must answer 400 or 404, at several operations and in the same words. Look for a handler of all exceptions that comes before more specific ones, or for handlers that are no longer registered. Rails: the `rescue_from` that is declared last is asked first, so declare the one for StandardError first; Spring Boot: a `@RestControllerAdvice` for Exception with a higher `@Order`; NestJS: the filter that is registered last is asked first; Express: the order of the error handlers.'
    : undefined;
}

/** Whether a call with something wrong, which says nothing of others under way, ended in a crash. */
function isCrash(one: Sighting): boolean {
  return statusIn(one) === 500 && one.company === undefined && !isPlain(one.exchange);
}
