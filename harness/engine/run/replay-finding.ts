import type { ActiveCheck, Case, CollectiveCheck, PassiveCheck } from '../../checks/check.ts';
import { describeAnswer } from '../../evidence/answer.ts';
import { callKey } from '../../evidence/call-key.ts';
import type { Evaluation } from '../../model/evaluation.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult, Finding } from '../../model/report.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import { asCached } from '../../results/causes/cached-answer.ts';
import { findingId } from '../../results/finding.ts';
import type { MissingNeed } from '../../target/missing-needs.ts';
import type { Attempt } from './conclude-case.ts';
import type { Plan } from './plan.ts';

/** The outcome of a replay. */
export type Replay =
  /** Occurred again, in some of the attempts. */
  | {
      readonly outcome: 'still-there';
      readonly times: number;
      readonly of: number;
      readonly exchange: Exchange;
    }
  /** Tested again without a violation. */
  | { readonly outcome: 'fixed'; readonly of: number }
  | { readonly outcome: 'cannot-tell'; readonly reason: string; readonly remedy?: string };

/** Attempts of a replay of a finding that every try showed, and the most of one that some showed. */
const tries = 3;
const mostTries = 20;
/** The chance with which a finding that is still there may stay unseen in all tries. */
const chanceToMiss = 0.05;

/** Makes one attempt at a case that repeats the given exchanges. */
export type AttemptAgain = (
  planned: Case<ActiveCheck>,
  attempt: number,
  shown: readonly Exchange[],
) => Promise<Attempt>;

/** What a replay needs of a run. */
export interface Replaying {
  readonly plan: Plan;
  readonly document: SuppliedDocument | undefined;
  readonly attemptAgain: AttemptAgain;
  /** What a case lacks, such as a key. */
  readonly missing: (planned: Case<ActiveCheck>) => readonly MissingNeed[];
}

/** A finding, with the case that reported it. */
export interface ReplayedFinding {
  readonly result: Pick<CaseResult, 'check' | 'operation'>;
  readonly finding: Finding;
}

/** Repeats the case that sent the exchange of a finding, and tells whether the finding occurs again. */
export async function replayFinding(
  { plan, document, attemptAgain, missing }: Replaying,
  { result, finding }: ReplayedFinding,
): Promise<Replay> {
  const passive = plan.passive.find((planned) => isOf(planned, result));
  const collective = plan.collective.find((planned) => isOf(planned, result));
  const observes = passive !== undefined || collective !== undefined;
  const sender = plan.active.find((planned) => isOf(planned, observes ? finding.exchange.case : result));
  if (sender === undefined) return withoutSender(result, finding);
  const [need] = missing(sender);
  if (need !== undefined) return { outcome: 'cannot-tell', reason: need.reason, remedy: need.remedy };
  const look =
    passive !== undefined
      ? passiveLook(passive, finding, document)
      : collective !== undefined
        ? collectiveLook(collective, finding)
        : ({ evaluation, exchanges }: Attempt) => lookAt(evaluation, sender, finding, exchanges);
  let seen: Exchange | undefined;
  let times = 0;
  let of = 0;
  let doubt: Replay | undefined = isTooRare(finding) ? tooRare(finding) : undefined;
  const sent = [finding.exchange, ...(finding.found === undefined ? [] : [finding.found])];
  for (let attempt = 2; attempt < triesFor(finding) + 2; attempt += 1) {
    const looked = look(await attemptAgain(sender, attempt, sent));
    if (looked.says === 'nothing') {
      doubt = {
        outcome: 'cannot-tell',
        reason: looked.reason,
        ...(looked.remedy && { remedy: looked.remedy }),
      };
      continue;
    }
    of += 1;
    if (looked.says === 'holds') continue;
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

function isTooRare({ seen: { times, of } }: Finding): boolean {
  return times < of && (1 - times / of) ** mostTries > chanceToMiss;
}

function tooRare({ seen: { times, of } }: Finding): Replay {
  return {
    outcome: 'cannot-tell',
    reason: `the run saw it in ${times} of ${of} tries, which is too rare for ${mostTries} tries to show that it is fixed`,
    remedy: 'run again, several times',
  };
}

/** What one attempt says of a finding. */
type Look =
  | { readonly says: 'seen'; readonly exchange: Exchange }
  | { readonly says: 'holds' }
  | { readonly says: 'nothing'; readonly reason: string; readonly remedy?: string };

function lookAt(
  evaluation: Evaluation,
  { check, requirement }: Case,
  finding: Finding,
  exchanges: readonly Exchange[] = [],
): Look {
  if (evaluation.outcome === 'pass') return { says: 'holds' };
  if (evaluation.outcome !== 'violated') return { says: 'nothing', ...evaluation };
  const shown = evaluation.violations.find(
    (violation) => findingId(asCached(violation, requirement.id, exchanges), check.id) === finding.id,
  );
  if (shown !== undefined) return { says: 'seen', exchange: shown.exchange };
  const original = evaluation.violations.find(({ exchange }) => isAnsweredAs(exchange, finding.found));
  if (original !== undefined) return { says: 'seen', exchange: original.exchange };
  const [other] = evaluation.violations;
  return {
    says: 'nothing',
    reason: `now something else is wrong: ${other.statement}, expected ${other.expected}, got ${other.actual}`,
  };
}

function isAnsweredAs(exchange: Exchange, found: Exchange | undefined): boolean {
  return found !== undefined && describeAnswer(exchange) === describeAnswer(found);
}

/** The exchanges of one case can show a violation that the whole run showed, but not that there is none. */
function collectiveLook(planned: Case<CollectiveCheck>, finding: Finding): (made: Attempt) => Look {
  return ({ exchanges }) => {
    const { check, operation } = planned;
    const look = lookAt(check.evaluate({ operation, exchanges }), planned, finding);
    if (look.says === 'seen') return look;
    return {
      says: 'nothing',
      reason: 'it results from comparing the responses of several cases',
      remedy: `run again: npx commerce-conformance run --operation ${operation.id}`,
    };
  };
}

function passiveLook(
  { check, operation, requirement }: Case<PassiveCheck>,
  finding: Finding,
  document: SuppliedDocument | undefined,
): (made: Attempt) => Look {
  return ({ evaluation: ofSender, exchanges }) => {
    const alike = exchanges.filter(
      (exchange) => exchange.operation === operation.id && callKey(exchange) === callKey(finding.exchange),
    );
    const evaluated = alike.flatMap((exchange) => check.evaluate(exchange, operation, document) ?? []);
    for (const evaluation of evaluated) {
      if (evaluation === 'holds') continue;
      if (findingId(asCached(evaluation, requirement.id, []), check.id) === finding.id)
        return { says: 'seen', exchange: evaluation.exchange };
    }
    // A request about a session depends on what was done to that session before.
    const areSame = alike.every(({ request: { path, body } }) => {
      const { request } = finding.exchange;
      return path === request.path && body?.text === request.body?.text;
    });
    if (evaluated.length > 0 && areSame) return { says: 'holds' };
    if (evaluated.length > 0) {
      return {
        says: 'nothing',
        reason: 'it was not seen, but it may depend on the requests before it',
        remedy: `run again: npx commerce-conformance run --operation ${operation.id}`,
      };
    }
    const why = ofSender.outcome === 'inconclusive' ? ofSender : undefined;
    return {
      says: 'nothing',
      reason: why?.reason ?? 'no matching response was observed',
      ...(why?.remedy === undefined ? {} : { remedy: why.remedy }),
    };
  };
}

function withoutSender(result: ReplayedFinding['result'], { exchange }: Finding): Replay {
  return {
    outcome: 'cannot-tell',
    reason: `its request belongs to no case that can be repeated (${exchange.case.check})`,
    remedy: `run again: npx commerce-conformance run --operation ${result.operation}`,
  };
}

function isOf(planned: Case, { check, operation }: ReplayedFinding['result']): boolean {
  return planned.check.id === check && planned.operation.id === operation;
}
