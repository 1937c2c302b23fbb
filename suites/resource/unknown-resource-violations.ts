import { defined } from '../../harness/defined.ts';
import { describeAnswer, hasStatus, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { hasOpenShape, isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import { isBelowStore, type Operation } from '../../spec/operation.ts';
import { fixOfLookup } from './inexact-lookups.ts';
import { wrongIdStatement } from './shows-known.ts';

/** One violation for all near misses of a parameter. */
export function nearMissViolations(
  name: string,
  known: Exchange,
  found: readonly Exchange[],
): readonly Violation[] {
  const [exchange, ...relatedExchanges] = found;
  if (exchange === undefined) return [];
  const detail = found.map(({ row }) => row?.[name]).join('; ');
  const statement = wrongIdStatement(name);
  const fix = fixOfLookup(
    found.map((one) => sentValue(one, name)),
    sentValue(known, name),
  );
  return [
    { statement, expected: '404', actual: '200', detail, ...defined({ fix }), exchange, relatedExchanges },
  ];
}

/** One violation for all known values of other kinds. */
export function otherKindViolations(
  name: string,
  [exchange, ...relatedExchanges]: readonly Exchange[],
): readonly Violation[] {
  if (exchange === undefined) return [];
  return [
    {
      statement: `A value that is no ${name} was answered with a resource: ${exchange.label}`,
      expected: '404',
      actual: '200',
      fix: 'Look up each kind of resource by itself, and each value in the place that the path gives it.',
      exchange,
      relatedExchanges,
    },
  ];
}

function sentValue({ request }: Exchange, name: string): string {
  return request.values[name]?.value ?? '';
}

/** Whether an unknown id is certainly well-formed: it has an open shape and the length of the known one, as ids may have a length or range. */
export function isWellFormed(known: Exchange, unknown: Exchange, name: string): boolean {
  const model = sentValue(known, name);
  if (model.length !== sentValue(unknown, name).length || !hasOpenShape(model)) return false;
  // The service may sign the ids that it issues itself, also in lower-case letters.
  return name !== 'sessionId' || !isPlainSlug(model);
}

/** A response other than 404 to a call with an unknown value of a parameter. */
export function unknownValueViolation(
  operation: Operation,
  name: string,
  { known, exchange }: { readonly known: Exchange; readonly exchange: Exchange },
): Violation {
  const isIgnored = statusOf(exchange) === 200 && exchange.response?.body.text === known.response?.body.text;
  return {
    statement: `An unknown ${name} was not answered 404`,
    expected: '404',
    actual: describeAnswer(exchange),
    exchange,
    ...(isIgnored && {
      detail: `the response is that to the known ${name}, byte for byte`,
      fix: `Look at each value of the path: the response does not depend on ${name}. Put it into the condition of the query beside the others, and answer 404 where it names nothing.`,
    }),
    ...(isBelowStore(operation) ? { clause: 'below-unknown-store' } : {}),
  };
}

/**
 * Whether the service answered a near miss or a value of another kind as if it were no value at all: a firewall may refuse an
 * asterisk or an accent, and no letters, digits and hyphens, nor what it let pass in another call.
 */
export function isRefusedOtherwise(name: string, exchange: Exchange, all: readonly Exchange[]): boolean {
  const sent = sentValue(exchange, name);
  const isPlain = /^[a-z\d-]*$/i.test(sent);
  const isFound = all.some((one) => sentValue(one, name) === sent && statusOf(one) === 404);
  return (isPlain || isFound) && hasStatus(exchange, 401, 403, 409, 500) && !isBlockedInFront(exchange);
}
