import type { Contract } from '../../../spec/contract.ts';
import { type Operation, sharedResource } from '../../../spec/operation.ts';
import type { ActiveCheck, Case, Evidence } from '../../checks/check.ts';
import { inconclusive, notTested } from '../../checks/outcomes.ts';
import { refusedBodyIn } from '../../checks/refused-body.ts';
import type { Steps } from '../../checks/step.ts';
import { defined } from '../../defined.ts';
import { describeAnswer, isBlockedInFront, requestSize, riderCount } from '../../evidence/answer.ts';
import type { RecordedAttempt } from '../../evidence/evidence-format.ts';
import { keptAt } from '../../kept-at.ts';
import type { Evaluation, Violation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import type { Exclusion } from '../../model/target.ts';
import { type OverloadSigns, otherOverload } from '../../pacing/overload.ts';
import { targetTooSlow } from '../../pacing/target-monitor.ts';
import { targetDied } from '../../requests/inconclusive-error.ts';
import { resultOf, resultOfEvaluation, resultOfFindings } from '../../results/case-result.ts';
import { asCached } from '../../results/causes/cached-answer.ts';
import { findingId, findingOf, violationsById } from '../../results/finding.ts';
import { sequenceSteps } from '../../results/sequence-steps.ts';
import { RidingEvidence } from './riding-evidence.ts';

/** Tries of a case that found a violation, or whose circumstances were not as they need to be. */
const attempts = 3;

/** One evaluated attempt at a case, with the signs of overload at that time. */
export interface Attempt {
  readonly evaluation: Evaluation;
  readonly exchanges: readonly Exchange[];
  readonly signs: OverloadSigns;
}

/** The settings of a run that show in its results. */
export interface Reporting {
  readonly baseUrl: string;
  readonly strict: boolean;
  readonly curlFlags?: readonly string[];
}

/** The outcome of one attempt at a case. */
export interface AttemptEvidence extends Pick<RecordedAttempt, 'unkept' | 'leftOut' | 'gaveUp'> {
  readonly exchanges: readonly Exchange[];
}

/** Evaluates one attempt; a pure function, so that recorded evidence gives the same result as the run. */
export function evaluateAttempt(
  { check, operation }: Case<ActiveCheck>,
  { exchanges, unkept: omittedCount, leftOut: appliedExclusions, gaveUp }: AttemptEvidence,
  document: Evidence['document'],
): Evaluation {
  const riding = new RidingEvidence(exchanges, check.steps);
  const evaluated = riding.complete(
    check.evaluate({ operation, exchanges: riding.shown, omittedCount, document }),
  );
  const isKeptOut = omittedCount === 0 && isBlockedThroughout(operation, exchanges);
  const evaluation = mentionExclusions(isKeptOut ? keptOut(evaluated) : evaluated, appliedExclusions);
  // Exchanges from before the probe gave up may show a violation, but nothing else.
  const isOver = gaveUp === undefined || evaluation.outcome === 'violated';
  const concluded = isOver
    ? evaluation
    : { ...inconclusive(gaveUp.reason, gaveUp.remedy), transient: gaveUp.transient };
  // A body that the service refused explains why the case lacks anything.
  return concluded.outcome === 'inconclusive' ? { ...concluded, ...refusedBodyIn(exchanges) } : concluded;
}

/** Whether a firewall answered every call that tests something. */
function isBlockedThroughout({ scope }: Operation, exchanges: readonly Exchange[]): boolean {
  const probes = exchanges.filter(({ role }) => role === 'probe');
  return probes.length > 0 && probes.every((one) => isBlockedInFront(one, scope !== undefined));
}

/** What a firewall kept from the service was not tested, whatever weaker clause its page violates. */
function keptOut(evaluation: Evaluation): Evaluation {
  const reason = 'a firewall answered each call that would have tested it with 403';
  const remedy = 'let the address of the harness through whatever guards the target';
  if (evaluation.outcome === 'pass') return notTested(reason, remedy);
  const isOfPage =
    evaluation.outcome === 'violated' && evaluation.violations.every(({ clause }) => clause !== undefined);
  return isOfPage ? inconclusive(reason, remedy) : evaluation;
}

/** A pass must name the values that the user excluded, because they were not tested. */
function mentionExclusions(evaluation: Evaluation, appliedExclusions: readonly Exclusion[]): Evaluation {
  if (evaluation.outcome !== 'pass' || appliedExclusions.length === 0) return evaluation;
  const exclusions = appliedExclusions.map((exclusion) => `${exclusion.class} (${exclusion.reason})`);
  return {
    ...evaluation,
    message: `${evaluation.message}; left out as the target file says: ${exclusions.join(', ')}`,
  };
}

/** Whether to retry a case: after a violation, to find out how often it occurs; after a disturbance, to avoid it. */
export function shouldRetry(
  made: ReadonlyArray<Pick<Attempt, 'evaluation' | 'exchanges'>>,
  contract: Contract,
): boolean {
  if (made.length >= attempts) return false;
  const violations = made.flatMap(({ evaluation }) =>
    evaluation.outcome === 'violated' ? evaluation.violations : [],
  );
  // The calls after a value that a firewall blocked have confirmed that it was the value.
  if (violations.length > 0) return violations.some(({ clause }) => clause !== 'blocked-in-front');
  return made.every(
    ({ evaluation, exchanges }) =>
      evaluation.outcome === 'inconclusive' &&
      (evaluation.transient === true || exchanges.some((one) => isBroken(one) || isDisturbed(contract, one))),
  );
}

/**
 * Whether a valid call met a session or login in an unexpected state, which another case may have changed, or no room for
 * another session.
 */
function isDisturbed(contract: Contract, { role, operation, response }: Exchange): boolean {
  const called = contract.find(operation);
  if (called?.role === 'creates-session' && response?.status === 409) return true;
  return (
    (role === 'control' || role === 'setup') &&
    sharedResource(called ?? {}) !== undefined &&
    (response?.status === 404 || response?.status === 409)
  );
}

/** Whether a crash, a limiter or a cut connection may have hit the call that the outcome depends on. */
function isBroken({ response, failure }: Exchange): boolean {
  const status = response?.status ?? 0;
  return failure !== undefined || status >= 500 || otherOverload.includes(status);
}

/** Whether a call that must be refused got the head of a success: what breaks off a response does not accept a call. */
function isLetThrough({ response, step = '' }: Exchange, steps: Steps = {}): boolean {
  return response?.status === 200 && steps[step]?.expects?.includes(200) === false;
}

/**
 * A requirement that one attempt violates is violated, except for intermittent crashes and refusals of a limiter:
 * STATUS-1 reports these, not each check that they happen to hit.
 */
export function concludeCase(
  planned: Case<ActiveCheck>,
  made: readonly Attempt[],
  reporting: Reporting,
): CaseResult {
  const { check, requirement } = planned;
  const evaluated = made.filter(
    ({ evaluation }) => evaluation.outcome === 'violated' || evaluation.outcome === 'pass',
  );
  const seen = new Map<
    string,
    { violation: Violation; steps: readonly Exchange[]; times: number; right: number; shown: Exchange[] }
  >();
  for (const { evaluation, exchanges } of made) {
    if (evaluation.outcome !== 'violated') continue;
    const violations = evaluation.violations.map((one) => asCached(one, requirement.id, exchanges));
    // Equal probes of one attempt count once.
    for (const [id, violation] of violationsById(violations, check.id)) {
      const steps = sequenceSteps(violation, exchanges);
      const known = keptAt(seen, id, () => ({ violation, steps, times: 0, right: 0, shown: [] }));
      // A first attempt may use values of another case, so that only a later one has the whole sequence, and
      // its calls have riders, which a later one may show to make no difference.
      const isWhole = known.steps.length === 0 && steps.length > 0;
      const isPlainer =
        riderCount(violation.exchange) < riderCount(known.violation.exchange) &&
        (steps.length > 0 || known.steps.length === 0);
      if (isWhole || isPlainer) Object.assign(known, { violation, steps });
      known.times += 1;
      known.right += new RidingEvidence(exchanges, check.steps).rightRepetitions(violation.exchange);
    }
    for (const violation of violations) {
      const { shown } = seen.get(findingId(violation, check.id)) ?? {};
      shown?.push(violation.exchange, ...(violation.relatedExchanges ?? []));
    }
  }
  const subject = { ...reporting, check: check.id, requirement };
  const { signs, evaluation: last } = made.at(-1) ?? {};
  const ended = last?.outcome === 'inconclusive' ? last.reason : undefined;
  const findings = [...seen.values()]
    .filter(({ violation: { exchange }, times }) => {
      if (signs?.isWidespread(exchange.operation, exchange.response?.status)) return false;
      // A request that a dying target leaves unanswered need not be the cause.
      if (ended === targetDied && exchange.failure !== undefined) return false;
      // An answer may only have been late, which the next try would have told.
      if (ended === targetTooSlow && exchange.failure !== undefined && times === 1) return false;
      return times > evaluated.length / 2 || !isBroken(exchange) || isLetThrough(exchange, check.steps);
    })
    .map(({ violation, steps, times, right, shown }) => {
      const of = Math.max(evaluated.length, times) + right;
      const triggers = times < of ? undefined : shown.map(({ label }) => label);
      const finding = findingOf(violation, subject, { times, of }, triggers);
      const attempt = made.find(({ exchanges }) => exchanges.includes(violation.exchange));
      const found = foundFirst(violation.exchange, attempt?.exchanges ?? []);
      return { ...finding, ...defined({ found, steps: steps.length === 0 ? undefined : steps }) };
    });
  const [finding, ...others] = findings;
  if (finding !== undefined) {
    const ids = made.flatMap(({ exchanges }) => exchanges.map((exchange) => exchange.id));
    return resultOfFindings(planned, [finding, ...others], ids, reporting.strict);
  }
  const decisive = evaluated.find(({ evaluation }) => evaluation.outcome === 'pass') ?? made.at(-1);
  if (decisive === undefined) throw new Error('a case without an attempt');
  const { evaluation, exchanges } = decisive;
  if (evaluation.outcome !== 'violated') return resultOfEvaluation(planned, evaluation, exchanges);
  const reason =
    'what failed came in less than half of the tries, as a crash, a limit or a lost connection does';
  return resultOf(planned, 'inconclusive', reason, exchanges);
}

/** The largest request with the response of a reduced one: a request that barely fails may pass the next time. */
function foundFirst(reduced: Exchange, exchanges: readonly Exchange[]): Exchange | undefined {
  if (reduced.role !== 'reduction') return undefined;
  const [largest] = exchanges
    .filter(({ role, operation }) => role === 'probe' && operation === reduced.operation)
    .filter((one) => describeAnswer(one) === describeAnswer(reduced))
    .sort((a, b) => requestSize(b) - requestSize(a));
  return largest === undefined || requestSize(largest) <= requestSize(reduced) ? undefined : largest;
}
