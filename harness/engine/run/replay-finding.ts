import type { ActiveCheck, Case, CollectiveCheck, PassiveCheck } from '../../checks/check.ts';
import { asSmaller, callKey, describeAnswer } from '../../evidence/answer.ts';
import type { Evaluation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { asCached } from '../../results/causes/cached-answer.ts';
import { findingId } from '../../results/finding.ts';
import type { MissingNeed } from '../../target/missing-needs.ts';
import type { Attempt } from './conclude-case.ts';
import type { Plan } from './plan.ts';

/** The outcome of a replay. */
export type Replay =
  | {
      readonly outcome: 'still-there';
      readonly times: number;
      readonly of: number;
      readonly exchange: Exchange;
    }
  | { readonly outcome: 'fixed'; readonly of: number }
  | CannotTell;

interface CannotTell {
  readonly outcome: 'cannot-tell';
  readonly reason: string;
  readonly remedy?: string;
}

function cannotTell(reason: string, remedy?: string): CannotTell {
  return { outcome: 'cannot-tell', reason, ...(remedy === undefined ? {} : { remedy }) };
}

/** Attempts of a replay of a finding that every try showed, and the most of one that some showed. */
const tries = 3;
const mostTries = 20;
/** The chance with which a finding that is still there may stay unseen in all tries. */
const chanceToMiss = 0.05;

/** The parts of a run that a replay needs. */
export interface Replaying {
  readonly plan: Plan;
  readonly document: SuppliedDocument | undefined;
  /** Makes one attempt at a case that repeats the given exchanges. */
  attemptAgain(planned: Case<ActiveCheck>, attempt: number, shown: readonly Exchange[]): Promise<Attempt>;
  missing(planned: Case<ActiveCheck>): readonly MissingNeed[];
}

/** A finding, with the case that reported it. */
export interface ReplayedFinding {
  readonly result: Pick<CaseResult, 'check' | 'operation'>;
  readonly finding: Finding;
}

/** Repeats the case that sent the exchange of a finding, and reports whether the finding occurs again. */
export async function replayFinding(
  { plan, document, attemptAgain, missing }: Replaying,
  { result, finding }: ReplayedFinding,
): Promise<Replay> {
  const caseId = caseIdOf(result);
  const passive = plan.passive.find(({ id }) => id === caseId);
  const collective = plan.collective.find(({ id }) => id === caseId);
  const observes = passive !== undefined || collective !== undefined;
  const senderId = observes ? caseIdOf(finding.exchange.case) : caseId;
  const sender = plan.active.find(({ id }) => id === senderId);
  if (sender === undefined)
    return cannotTell(
      `its request belongs to no case that can be repeated (${finding.exchange.case.check})`,
      runAgain(result.operation),
    );
  const [need] = missing(sender);
  if (need !== undefined) return cannotTell(need.reason, need.remedy);
  const look = (made: Attempt): Look => {
    if (passive !== undefined) return passiveLook(passive, finding, document, made);
    if (collective !== undefined) return collectiveLook(collective, finding, made);
    return lookAt(made.evaluation, sender, finding, made.exchanges);
  };
  let seen: Exchange | undefined;
  let times = 0;
  let of = 0;
  let doubt = tooRare(finding);
  const sent = [finding.exchange, ...(finding.found === undefined ? [] : [finding.found])];
  for (let attempt = 2; attempt < triesFor(finding) + 2; attempt += 1) {
    const looked = look(await attemptAgain(sender, attempt, sent));
    if (looked.outcome === 'cannot-tell') {
      doubt = looked;
      continue;
    }
    of += 1;
    if (looked.outcome === 'holds') continue;
    times += 1;
    seen ??= looked.exchange;
    if (attempt > tries) break;
  }
  if (seen !== undefined) return { outcome: 'still-there', times, of, exchange: seen };
  return doubt ?? { outcome: 'fixed', of };
}

/** As many tries as it takes to see a finding again that comes and goes, with the frequency that the run saw. */
function triesFor({ seen: { times, of } }: Finding): number {
  if (times >= of) return tries;
  const needed = Math.ceil(Math.log(chanceToMiss) / Math.log(1 - times / of));
  return Math.min(Math.max(needed, tries), mostTries);
}

function tooRare({ seen: { times, of } }: Finding): CannotTell | undefined {
  if (times >= of || (1 - times / of) ** mostTries <= chanceToMiss) return undefined;
  return cannotTell(
    `the run saw it in ${times} of ${of} tries, which is too rare for ${mostTries} tries to show that it is fixed`,
    'run again, several times',
  );
}

function runAgain(operation: string): string {
  return `run again: npx commerce-conformance run --operation ${operation}`;
}

type Look =
  | { readonly outcome: 'seen'; readonly exchange: Exchange }
  | { readonly outcome: 'holds' }
  | CannotTell;

function lookAt(
  evaluation: Evaluation,
  { check, requirement }: Case,
  finding: Finding,
  exchanges: readonly Exchange[] = [],
): Look {
  if (evaluation.outcome === 'pass') return { outcome: 'holds' };
  if (evaluation.outcome === 'not-applicable') return cannotTell(evaluation.reason);
  if (evaluation.outcome === 'inconclusive') return cannotTell(evaluation.reason, evaluation.remedy);
  const shown = evaluation.violations.find(
    (violation) => findingId(asCached(violation, requirement.id, exchanges), check.id) === finding.id,
  );
  if (shown !== undefined) return { outcome: 'seen', exchange: shown.exchange };
  const { found } = finding;
  const original =
    found && evaluation.violations.find(({ exchange }) => describeAnswer(exchange) === describeAnswer(found));
  if (original !== undefined) return { outcome: 'seen', exchange: original.exchange };
  const [other] = evaluation.violations;
  return cannotTell(
    `now something else is wrong: ${other.statement}, expected ${other.expected}, got ${other.actual}`,
  );
}

/** The exchanges of one case can show a violation that the whole run showed, but not that there is none. */
function collectiveLook(planned: Case<CollectiveCheck>, finding: Finding, { exchanges }: Attempt): Look {
  const { check, operation } = planned;
  const look = lookAt(check.evaluate({ operation, exchanges }), planned, finding);
  if (look.outcome === 'seen') return look;
  return cannotTell('it results from comparing the responses of several cases', runAgain(operation.id));
}

function passiveLook(
  { check, operation, requirement }: Case<PassiveCheck>,
  finding: Finding,
  document: SuppliedDocument | undefined,
  { evaluation: ofSender, exchanges }: Attempt,
): Look {
  const isAlike = (one: Exchange): boolean => callKey(one) === callKey(finding.exchange);
  const alike = exchanges.filter(
    (one) =>
      one.operation === operation.id &&
      (isAlike(one) || (one.step === 'repeated' && isAlike(asSmaller(one)))),
  );
  const evaluated = alike.flatMap((exchange) => check.evaluate(exchange, operation, document) ?? []);
  for (const evaluation of evaluated) {
    if (evaluation === 'holds') continue;
    if (findingId(asCached(evaluation, requirement.id, []), check.id) === finding.id)
      return { outcome: 'seen', exchange: evaluation.exchange };
  }
  if (evaluated.length === 0) {
    if (ofSender.outcome === 'inconclusive') return cannotTell(ofSender.reason, ofSender.remedy);
    return cannotTell('no matching response was observed');
  }
  // A request about a session depends on earlier calls on that session.
  const { request } = finding.exchange;
  const isSame = ({ request: { path, body } }: Exchange): boolean =>
    path === request.path && body?.text === request.body?.text;
  if (alike.every(isSame)) return { outcome: 'holds' };
  const reason = 'it was not seen, but it may depend on the requests before it';
  return cannotTell(reason, runAgain(operation.id));
}
