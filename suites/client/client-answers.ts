import { jsonFault } from '../../harness/checks/json-fault.ts';
import { describeAnswer, headerOf, isBlockedInFront, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { isSentAs } from '../../harness/evidence/sent-values.ts';
import type { Exchange, Row } from '../../harness/model/exchange.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { allowedFor, asLarge, blanksBefore, type Trait } from './client-traits.ts';

/** The defect of the response to a valid call; undefined for a 200 that the client can read. */
export function deviationOf(exchange: Exchange, { responseSchema }: Operation): string | undefined {
  if (!isOk(exchange)) return describeAnswer(exchange);
  const coding = refusedCoding(exchange);
  if (coding !== undefined) return `200 in the coding ${coding}, which the request does not accept`;
  const fault = responseSchema === undefined ? undefined : jsonFault(exchange);
  return fault === undefined ? undefined : `200 with ${fault}`;
}

/** Whether a conforming service may refuse the call: for its unusual parts, for its state, or by a firewall in front. */
export function mayBeRefused(
  exchange: Exchange,
  operation: Operation,
  /** All calls of the attempt: an equal create may return a session that one of them has cancelled. */
  sent: readonly Exchange[],
): boolean {
  const status = statusOf(exchange) ?? 0;
  // Other sessions and logins may keep a call from being carried out, but not the cancel of a fresh session.
  if (status === 409 && !isSafe(operation)) {
    const mayHaveEnded =
      operation.role !== 'ends-session' || sent.some((one) => mayHaveCancelled(one, exchange));
    if (mayHaveEnded) return true;
  }
  if (status === 0 && isSentAs(exchange, 'body in two packets')) return true;
  return allowedBy(exchange.row).includes(status) || isBlockedInFront(exchange);
}

/** Whether a call named the session of another one, and the service may have carried it out. */
function mayHaveCancelled(one: Exchange, other: Exchange): boolean {
  const [before, after] = [one, other].map(({ request }) => request.values['sessionId']?.value);
  return one.operation === other.operation && before === after && statusOf(one) !== 409;
}

/** The statuses other than 200 that the values of a call allow. */
export function allowedBy(row: Row = {}): readonly number[] {
  return valuesOf(row).flatMap(({ factor, id }) => allowedFor(factor, id));
}

/**
 * Values of which one that is accepted alone leaves no reason to refuse a call, such as as many bytes in another form. Only
 * those of a body: a cache may have accepted another one, and a key beside it have taken the call past the cache.
 */
export function plainerThan<T extends ValueOfFactor>(values: readonly T[]): ReadonlyArray<T | Trait> {
  const [first] = values;
  if (values.length === 1) return first?.id === blanksBefore.id ? asLarge : [];
  const refusable = values.filter(({ factor, id }) => allowedFor(factor, id).length > 0);
  return refusable.length === 1 ? refusable.filter(({ factor }) => factor === 'body') : [];
}

type ValueOfFactor = Pick<Trait, 'factor' | 'id'>;

/** The values of a row. */
export function valuesOf(row: Row = {}): readonly ValueOfFactor[] {
  return Object.entries(row).flatMap(([factor, ids]) => [ids].flat().map((id) => ({ factor, id })));
}

/** Factors with a value that must not be refused, but that was only sent in calls that may be refused for another value. */
export function untoldOf(sent: readonly Exchange[]): readonly string[] {
  const keysOf = (some: readonly Exchange[]): ReadonlySet<string> =>
    new Set(some.flatMap(({ row }) => valuesOf(row).map(({ factor, id }) => `${factor} ${id}`)));
  const accepted = keysOf(sent.filter(isOk));
  const joined = sent.filter((one) => !isBlockedInFront(one) && valuesOf(one.row).length > 1);
  const untold = joined.flatMap(({ row }) =>
    valuesOf(row).filter(
      ({ factor, id }) => allowedFor(factor, id).length === 0 && !accepted.has(`${factor} ${id}`),
    ),
  );
  return [...new Set(untold.map(({ factor }) => factor))];
}

/** The factors without any value that was answered with 200: values that are refused together are not tested alone, or left out. */
export function neverAccepted(sent: readonly Exchange[]): readonly string[] {
  const factorsOf = ({ row = {} }: Exchange): readonly string[] => Object.keys(row);
  const accepted = new Set(sent.filter(isOk).flatMap(factorsOf));
  return [...new Set(['query', ...sent.flatMap(factorsOf)])].filter((factor) => !accepted.has(factor));
}

/** A content coding of the response that the request does not accept; a request without Accept-Encoding accepts any. */
export function refusedCoding(exchange: Exchange): string | undefined {
  const accepted = exchange.request.headers.find(([name]) => name === 'accept-encoding')?.[1];
  // Some servers treat an empty header as absent.
  if (!accepted) return undefined;
  // Of two weights, either may count.
  const weights = new Map<string, number>();
  for (const one of accepted.split(',')) {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, Math.max(Number(weight ?? 1), weights.get(coding) ?? 0));
  }
  const codings = (headerOf(exchange, 'content-encoding') ?? '').split(',').map((one) => one.trim());
  return codings.find(
    (coding) =>
      !['', 'identity'].includes(coding.toLowerCase()) &&
      (weights.get(coding.toLowerCase().replace(/^x-/, '')) ?? weights.get('*') ?? 0) === 0,
  );
}

/** A query before those that it is a smaller form of. */
export function byLength(one: Exchange, other: Exchange): number {
  return one.request.path.length - other.request.path.length;
}

/** The factors of what was changed, in a fixed order. */
export function factorsIn({ row = {} }: Exchange): readonly string[] {
  return Object.keys(row).sort();
}

/** Whether the only unusual part is the whole address in the request line, which servers must accept, but common ones refuse. */
export function isOnlyWhole({ row }: Exchange): boolean {
  return JSON.stringify(row) === JSON.stringify({ wire: ['whole address'] });
}
