import { recoveriesFrom } from '../../harness/checks/recovery.ts';
import { describeAnswer, isBlockedInFront, statusOf } from '../../harness/evidence/answer.ts';
import { showSegment, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/operation.ts';
import { isAllowedAnswer } from './path-answers.ts';
import { causeOf, isExplainedBy } from './path-value-cause.ts';
import { classLike, pathValues } from './path-values.ts';

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

/** The values that were sent in path parameters; of a value that was sent twice, the second exchange. */
export function sentPathValues(
  operation: Operation,
  exchanges: readonly Exchange[],
  control: Exchange | undefined,
): readonly SentValue[] {
  const sent = new Map<string, SentValue>();
  for (const exchange of exchanges) {
    const name = operation.pathParameters.find((one) => exchange.row?.[one] !== undefined);
    const raw = name && exchange.request.values[name]?.value;
    if (name === undefined || raw === undefined) continue;
    const known = encodeURIComponent(control?.request.values[name]?.value ?? '');
    const id = String(exchange.row?.[name]);
    sent.set(`${name} ${id} ${raw}`, { name, id, raw, known, exchange });
  }
  return [...sent.values()];
}

/** Whether the response is wrong. */
export function isWrong(operation: Operation, { raw, known, exchange }: SentValue): boolean {
  return !isAllowedAnswer(operation, raw, known, exchange);
}

/**
 * Whether the value caused the response, and not a state in which every call gets it. A target that no longer answers at
 * all may have stopped for any reason; one that keeps answering 5xx from the first such value on broke because of it.
 */
export function isCausedByValue(
  { exchange }: SentValue,
  wrong: readonly SentValue[],
  recovery: readonly Exchange[],
): boolean {
  const answer = describeAnswer(exchange);
  const recoveries = recoveriesFrom(answer, recovery);
  if (recoveries.some((one) => statusOf(one) === 200)) return true;
  const first = wrong.find((one) => describeAnswer(one.exchange) === answer);
  return recoveries.length > 0 && first?.exchange === exchange && (statusOf(exchange) ?? 0) >= 500;
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
    const classes = new Set(left.filter(isSimilar).flatMap((other) => classOf(other)));
    const excludable = [
      ...new Set(left.filter((other) => other === first || isSimilar(other)).flatMap(excludableClassOf)),
    ];
    const similar = classes.size > 1 ? `; the same for ${[...classes].slice(0, 6).join(', ')}` : '';
    const statement = `A value of ${name} got an unexpected response (${causeOf(raw)})`;
    const key = `${statement}\n${answer}`;
    if (!violations.has(key)) {
      violations.set(key, {
        statement,
        expected: '200, 400 or 404',
        actual: answer,
        kind: `${name} ${causeOf(raw)}`,
        ...(isBlockedInFront(exchange) ? { clause: 'blocked-in-front' } : {}),
        ...(excludable.length === 0 ? {} : { excludable }),
        exchange,
        detail: `the smallest known is ${showSegment(raw)}${similar}`,
      });
    }
    left = left.filter((other) => other !== first && !isSimilar(other));
  }
  return [...violations.values()].slice(0, mostViolations);
}

/** The class that excludes a value; a random one belongs to the class of the corpus that it resembles. */
function excludableClassOf({ id, raw, known }: SentValue): string | readonly string[] {
  const value = pathValues.find((one) => one.id === id);
  return value?.class ?? classLike(raw, known) ?? [];
}

/** The value of the corpus; none for random and smaller values. */
function classOf({ id }: SentValue): readonly string[] {
  return pathValues.filter((one) => one.id === id).map(({ what }) => what);
}
