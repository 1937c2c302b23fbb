import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { isConflict } from '../../harness/checks/steady-control.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { showSegment, tokensOf } from '../../harness/fuzzing/path-segment.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Operation } from '../../spec/contract.ts';
import { isAllowedAnswer, mayBeElsewhere } from './path-answers.ts';
import { causeOf, isExplainedBy } from './path-value-cause.ts';
import { isOfKind, pathValues } from './path-values.ts';
import { againLabel, elsewhereLabel, labelOf, probePathValues } from './probe-path-values.ts';

const check: ActiveCheck = {
  kind: 'active',
  last: true,
  requirement: 'RESOURCE-2',
  title: 'whatever string stands in a path parameter, the answer is 200, 400 or 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  requests: ({ pathParameters }) => 1 + pathValues.length * pathParameters.length,
  randomInputs: ({ pathParameters }, fuzzRuns) => fuzzRuns * pathParameters.length,
  probe: probePathValues,
  evaluate: ({ operation, exchanges, omittedCount = 0 }) => {
    const known = exchanges.findLast(({ role }) => role === 'control');
    const isControlled = known !== undefined && statusOf(known) === 200;
    const sent = sentValues(operation, exchanges, known);
    const probed = sent.filter(({ exchange }) => exchange.role === 'probe');
    if (probed.length === 0) return inconclusive('no call with a chosen value was made');
    const wrong = sent.filter((value) => isWrong(operation, value, exchanges));
    const standing = wrong.filter((value) =>
      isControlled
        ? isOfTheValue(value, wrong, exchanges)
        : !operation.statuses.includes(statusOf(value.exchange) ?? 200),
    );
    return violatedOr(violationsOf(standing), () => {
      if (known === undefined) return inconclusive('no call with known values could be made');
      if (!isControlled) {
        const reason = `the call with known values was answered ${describeAnswer(known)}`;
        const isPassing = operation.pathParameters.includes('sessionId') && isConflict(known);
        return { outcome: 'inconclusive', reason, transient: isPassing };
      }
      const [first] = wrong;
      if (first === undefined)
        return pass(
          `answered 200, 400 or 404 for ${probed.length + omittedCount} values that are no plain identifiers`,
        );
      return {
        outcome: 'inconclusive',
        reason: `after the value ${showSegment(first.raw)} was answered ${describeAnswer(first.exchange)}, so was the valid call`,
        remedy: 'let the address of the harness through whatever guards the target',
        transient: true,
      };
    });
  },
};

export default check;

/** A value that was sent, with what it was answered. */
interface SentValue {
  readonly name: string;
  /** As it went out. */
  readonly raw: string;
  readonly known: string;
  readonly exchange: Exchange;
}

/** Of a value that was sent twice, the second time; all from the exchanges alone, as evidence that is judged again holds nothing else. */
function sentValues(
  operation: Operation,
  exchanges: readonly Exchange[],
  control: Exchange | undefined,
): readonly SentValue[] {
  const sent = new Map<string, SentValue>();
  for (const exchange of exchanges) {
    if (exchange.role !== 'probe' && exchange.role !== 'reduction') continue;
    const name = operation.pathParameters.find((one) => exchange.label.startsWith(labelOf(one, '')));
    const raw = name && exchange.request.values[name]?.value;
    if (name === undefined || raw === undefined) continue;
    const known = encodeURIComponent(control?.request.values[name]?.value ?? '');
    sent.set(`${exchange.label}\n${raw}`, { name, raw, known, exchange });
  }
  return [...sent.values()];
}

/**
 * Wrong, unless the value led to where nothing is published and everything there is answered so: routing an encoded
 * slash as a slash is lawful, and so is refusing strangers on routes that the contract does not speak of.
 */
function isWrong(
  operation: Operation,
  { name, raw, known, exchange }: SentValue,
  exchanges: readonly Exchange[],
): boolean {
  if (isAllowedAnswer(operation, raw, known, exchange)) return false;
  if (!mayBeElsewhere(raw, exchange)) return true;
  const unknownRoute = exchanges.find(({ label }) => label === elsewhereLabel(name));
  return unknownRoute === undefined || statusOf(unknownRoute) !== statusOf(exchange);
}

/** Violations that one case reports at the most. */
const mostViolations = 5;

/** One violation for each cause, shown by the smallest value that was answered so. */
function violationsOf(standing: readonly SentValue[]): readonly Violation[] {
  const violations = new Map<string, Violation>();
  let left = [...standing].sort((a, b) => tokensOf(a.raw).length - tokensOf(b.raw).length);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const { name, raw, exchange } = first;
    const answer = describeAnswer(exchange);
    const isSimilar = (other: SentValue): boolean =>
      other.name === name && describeAnswer(other.exchange) === answer && isExplainedBy(other.raw, raw);
    const classes = new Set(left.filter(isSimilar).flatMap((other) => classOf(other)));
    const classNames = [
      ...new Set(left.filter((other) => other === first || isSimilar(other)).flatMap(excludableClassOf)),
    ];
    const statement = `any ${name} is answered (${causeOf(raw)})`;
    const violation: Violation = {
      statement,
      expected: '200, 400 or 404',
      actual: answer,
      kind: `${name} ${causeOf(raw)}`,
      ...(classNames.length === 0 ? {} : { excludable: classNames }),
      exchange,
      detail: `the smallest seen is ${showSegment(raw)}${classes.size > 1 ? `; so were ${[...classes].slice(0, 6).join(', ')}` : ''}`,
    };
    const before = violations.get(`${statement}\n${answer}`);
    if (before === undefined) violations.set(`${statement}\n${answer}`, violation);
    left = left.filter((other) => other !== first && !isSimilar(other));
  }
  return [...violations.values()].slice(0, mostViolations);
}

/** The class by which a value of the corpus can be excluded; random ones are of the class of the smallest that fails. */
function excludableClassOf({ name, raw, exchange }: SentValue): readonly string[] {
  const known = pathValues.find(({ what }) => labelOf(name, what) === exchange.label);
  const like = known ?? pathValues.find((value) => isOfKind(raw, value));
  return like === undefined ? [] : [like.class];
}

/** The class of the corpus that the value is of; none for random and smaller ones. */
function classOf({ name, exchange }: SentValue): readonly string[] {
  return pathValues.filter(({ what }) => labelOf(name, what) === exchange.label).map(({ what }) => what);
}

/**
 * Whether it is the value that was answered so, and not any call by then. A target that answers nothing any more may have
 * gone for any reason; one that goes on with 5xx after the value was the first to get it has broken down over it.
 */
function isOfTheValue(
  { exchange }: SentValue,
  wrong: readonly SentValue[],
  exchanges: readonly Exchange[],
): boolean {
  const answer = describeAnswer(exchange);
  const witnesses = exchanges.filter(({ label }) => label === againLabel(answer));
  if (witnesses.some((witness) => statusOf(witness) === 200)) return true;
  const first = wrong.find((one) => describeAnswer(one.exchange) === answer);
  return witnesses.length > 0 && first?.exchange === exchange && (statusOf(exchange) ?? 0) >= 500;
}
