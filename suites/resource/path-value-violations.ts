import { describeAnswer, hasStatus, isBlockedInFront } from '../../harness/evidence/answer.ts';
import { isNotEncoded, showSegment, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import { keptAt } from '../../harness/kept-at.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isPlainSlug } from '../../harness/requests/mutate-preserving-shape.ts';
import type { Operation } from '../../spec/operation.ts';
import { causeOf, isExplainedBy } from './path-value-cause.ts';
import { classLike, encodedKnown, type PathValue, pathValues } from './path-values.ts';

/** Violations that one case reports at most. */
const mostViolations = 5;

/** A value that was sent, with its response. */
export interface SentValue {
  readonly name: string;
  /** Its value in the row of the call. */
  readonly id: string;
  /** As it was sent. */
  readonly raw: string;
  readonly known: string;
  readonly exchange: Exchange;
}

/** The value that was sent in a path parameter. */
export function sentPathValue(
  { pathParameters }: Operation,
  exchange: Exchange,
  control: Exchange | undefined,
): SentValue {
  const { row = {}, request } = exchange;
  const name = pathParameters.find((one) => row[one] !== undefined) ?? '';
  const known = encodeURIComponent(control?.request.values[name]?.value ?? '');
  return { name, id: String(row[name]), raw: request.values[name]?.value ?? '', known, exchange };
}

/** One violation for each cause, shown by its smallest value. */
export function pathValueViolations(wrong: readonly SentValue[]): readonly Violation[] {
  const violations = new Map<string, Violation>();
  let left = [...wrong].sort((a, b) => tokensOf(a.raw).length - tokensOf(b.raw).length);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const { name, raw, exchange } = first;
    const answer = describeAnswer(exchange);
    const isSimilar = (other: SentValue): boolean =>
      other.name === name && describeAnswer(other.exchange) === answer && isExplainedBy(other.raw, raw);
    const alike = left.filter((other) => other === first || isSimilar(other));
    const ofCorpus = ({ id }: SentValue): PathValue | undefined => pathValues.find((one) => one.id === id);
    const classes = new Set(alike.filter(isSimilar).flatMap((one) => ofCorpus(one)?.label ?? []));
    // A random value belongs to the class of the corpus that it resembles.
    const excludable = [
      ...new Set(alike.flatMap((one) => ofCorpus(one)?.class ?? classLike(one.raw, one.known) ?? [])),
    ];
    const similar = classes.size > 1 ? `; these fail as well: ${[...classes].slice(0, 6).join(', ')}` : '';
    const kind = `${name} ${causeOf(raw)}`;
    keptAt(violations, `${kind} ${answer}`, () => ({
      statement: `A value of ${name} got an unexpected response (${causeOf(raw).replaceAll(/ and (?=.* and )/g, ', ')})`,
      expected: '200, 400 or 404',
      actual: answer,
      kind,
      ...clauseOf(exchange, raw),
      ...(excludable.length > 0 && { excludable }),
      exchange,
      detail: `the smallest known is ${showSegment(raw)}${similar}`,
    }));
    left = left.filter((other) => !alike.includes(other));
  }
  return [...violations.values()].slice(0, mostViolations);
}

/** The violation by a known slug that is not found with its letters encoded; ids of sessions may be compared as they were issued. */
export function notFoundEncoded(
  { takesIssued }: Operation,
  sent: readonly SentValue[],
  control: Exchange | undefined,
): readonly Violation[] {
  const first = sent.find(
    ({ id, known, exchange }) =>
      id === encodedKnown && takesIssued === undefined && isPlainSlug(known) && hasStatus(exchange, 404),
  );
  if (first === undefined || !hasStatus(control, 200)) return [];
  return [
    {
      statement: `A known ${first.name} was not found with its letters percent-encoded`,
      expected: '200, as for the same letters unencoded',
      actual: '404',
      kind: `${first.name} the letters of a known one percent-encoded`,
      clause: encodedKnown,
      fix: 'Decode each segment of the path once, after splitting the path and before the lookup. If a proxy passes the value on in a header or variable, decode that as well.',
      exchange: first.exchange,
    },
  ];
}

/** The weaker clause that a violation is one of. */
function clauseOf(exchange: Exchange, raw: string): Pick<Violation, 'clause'> {
  if (isBlockedInFront(exchange)) return { clause: 'blocked-in-front' };
  return isNotEncoded(raw) ? { clause: 'not-encoded' } : {};
}
