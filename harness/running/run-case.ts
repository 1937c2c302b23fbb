import { Caller } from '../calling/caller.ts';
import type { Workbench } from '../calling/workbench.ts';
import { CannotJudge } from '../checks/cannot-judge.ts';
import type { ActiveCheck } from '../checks/check.ts';
import { inconclusive, type Judgement, type Violation } from '../checks/judgement.ts';
import type { Exchange } from '../recording/exchange.ts';
import { resultOf, resultOfFindings, resultOfJudgement } from '../report/case-result.ts';
import { findingId, findingOf } from '../report/finding.ts';
import type { CaseResult, Finding } from '../report/report.ts';
import type { Exclusion } from '../target/target.ts';
import { cancelOpenSessions } from './cancel-open-sessions.ts';
import type { Case } from './plan.ts';

/** Tries of a case that found a violation, or whose circumstances were not as they need to be. */
const attempts = 3;

/** One try of a case. */
export interface Attempt {
  readonly judgement: Judgement;
  readonly exchanges: readonly Exchange[];
}

/** Runs one case: a violation is tried again, so that a finding says how often it was seen. */
export async function runCase(
  bench: Workbench,
  planned: Case<ActiveCheck>,
  strict: boolean,
): Promise<CaseResult> {
  try {
    const begin = planned.check.alone === true ? alone : share;
    const made: Attempt[] = [await begin(bench, planned, () => attemptCase(bench, planned, 1))];
    while (made.length < attempts && wantsAnother(made)) {
      try {
        const isFull = made.some(({ exchanges }) => exchanges.some(isRefusedCreate));
        made.push(
          await alone(bench, planned, async () => {
            // A target may take no more sessions while those of other cases are open.
            if (isFull) await cancelOpenSessions(bench);
            return attemptCase(bench, planned, made.length + 1, shownBy(made), controlOf(made));
          }),
        );
      } catch (error) {
        // What was found before a defect of the harness is found all the same.
        if (made.every(({ judgement }) => judgement.outcome !== 'violated')) throw error;
        break;
      }
    }
    return conclude(bench, planned, made, strict);
  } catch (error) {
    return resultOf(planned, 'error', `defect of the harness: ${(error as Error).stack ?? String(error)}`);
  }
}

/** Probes and judges once, knowing what earlier attempts showed; what cannot be had makes the attempt inconclusive. */
export async function attemptCase(
  bench: Workbench,
  planned: Case<ActiveCheck>,
  attempt: number,
  earlier: readonly Exchange[] = [],
  earlierControl?: Exchange,
): Promise<Attempt> {
  const { check, operation } = planned;
  const caller = new Caller(bench, check.id, operation, attempt, earlier, earlierControl);
  let gaveUp: CannotJudge | undefined;
  try {
    await check.probe(caller, operation);
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    gaveUp = error;
  } finally {
    await caller.close();
  }
  const { exchanges } = caller;
  const judgement = tellLeftOut(
    check.judge({ operation, exchanges, unkept: caller.unkept, document: bench.document }),
    caller.leftOut,
  );
  // What was sent before the probe gave up may show a violation, but can show nothing else.
  if (gaveUp !== undefined && judgement.outcome !== 'violated') {
    const { message, remedy, transient } = gaveUp;
    return {
      judgement: { ...inconclusive(message, remedy), ...(transient ? { transient } : {}) } as Judgement,
      exchanges,
    };
  }
  return { judgement, exchanges };
}

/** The exchanges that showed violations in the first attempt that did. */
function shownBy(made: readonly Attempt[]): readonly Exchange[] {
  const telling = made.find(({ judgement }) => judgement.outcome === 'violated');
  if (telling?.judgement.outcome !== 'violated') return [];
  return telling.judgement.violations.map(({ exchange }) => exchange);
}

/** The valid call of that attempt. */
function controlOf(made: readonly Attempt[]): Exchange | undefined {
  const telling = made.find(({ judgement }) => judgement.outcome === 'violated');
  return telling?.exchanges.findLast(({ role }) => role === 'control');
}

/** What the user excluded was not looked at, which a pass must say. */
function tellLeftOut(judgement: Judgement, leftOut: readonly Exclusion[]): Judgement {
  if (judgement.outcome !== 'pass' || leftOut.length === 0) return judgement;
  const exclusions = leftOut.map((exclusion) => `${exclusion.class} (${exclusion.reason})`);
  return {
    ...judgement,
    message: `${judgement.message}; left out as the target file says: ${exclusions.join(', ')}`,
  };
}

function wantsAnother(made: readonly Attempt[]): boolean {
  if (made.some(({ judgement }) => judgement.outcome === 'violated')) return true;
  return made.every(
    ({ judgement, exchanges }) =>
      judgement.outcome === 'inconclusive' &&
      (judgement.transient === true || exchanges.some(isBroken) || exchanges.some(isDisturbed)),
  );
}

/** Operations that act on sessions, of which a target may allow one at a time, or give the same for equal creates. */
const sessionOperations = new Set([
  'createHostedCheckoutSession',
  'getHostedCheckoutSession',
  'cancelHostedCheckoutSession',
]);

function share<T>(bench: Workbench, { operation }: Case, act: () => Promise<T>): Promise<T> {
  return sessionOperations.has(operation.id) ? bench.sessionLock.shared(act) : act();
}

/** A case on sessions is tried again while no other one is under way, so that what disturbed it is not there. */
function alone<T>(bench: Workbench, { operation }: Case, act: () => Promise<T>): Promise<T> {
  return sessionOperations.has(operation.id) ? bench.sessionLock.alone(act) : act();
}

function isRefusedCreate({ operation, response }: Exchange): boolean {
  return operation === 'createHostedCheckoutSession' && response?.status === 409;
}

/** A valid call met a session in another state than a fresh one has: another case may have acted on it. */
function isDisturbed({ role, operation, response }: Exchange): boolean {
  return (
    (role === 'control' || role === 'setup') &&
    sessionOperations.has(operation) &&
    (response?.status === 404 || response?.status === 409)
  );
}

/** A crash or a cut connection may have hit a call that would have decided the case. */
function isBroken({ response, failure }: Exchange): boolean {
  return failure !== undefined || (response?.status ?? 0) >= 500;
}

/**
 * What held in one attempt and was violated in another counts as violated, but for crashes that come and go: these are
 * a matter of STATUS-1, not of each check that they happen to hit.
 */
function conclude(
  bench: Workbench,
  planned: Case<ActiveCheck>,
  made: readonly Attempt[],
  strict: boolean,
): CaseResult {
  const judged = made.filter(
    ({ judgement }) => judgement.outcome === 'violated' || judgement.outcome === 'pass',
  );
  const seen = new Map<string, { violation: Violation; times: number }>();
  for (const { judgement } of made) {
    if (judgement.outcome !== 'violated') continue;
    // Probes that are alike within one try count once.
    const violations = new Map(judgement.violations.map((one) => [findingId(one, planned.check.id), one]));
    for (const [id, violation] of violations) {
      const before = seen.get(id);
      if (before === undefined) seen.set(id, { violation, times: 1 });
      else before.times += 1;
    }
  }
  const subject = {
    check: planned.check.id,
    requirement: planned.requirement,
    baseUrl: bench.target.baseUrl,
  };
  const findings = [...seen.values()]
    .filter(({ violation: { exchange }, times }) => {
      if (bench.liveness.isWidespread(exchange.operation, exchange.response?.status)) return false;
      return times > judged.length / 2 || !isBroken(exchange);
    })
    .map(({ violation, times }) =>
      findingOf(violation, subject, { times, of: Math.max(judged.length, times) }),
    );
  if (isFilled<Finding>(findings)) {
    const ids = made.flatMap(({ exchanges }) => exchanges.map((exchange) => exchange.id));
    return resultOfFindings(planned, findings, ids, strict);
  }
  const decisive = judged.find(({ judgement }) => judgement.outcome === 'pass') ?? made.at(-1);
  if (decisive === undefined) throw new Error('a case without an attempt');
  if (decisive.judgement.outcome === 'violated') {
    return resultOf(
      planned,
      'inconclusive',
      'hit by crashes that come and go, which STATUS-1 judges',
      decisive.exchanges,
    );
  }
  return resultOfJudgement(planned, decisive.judgement, decisive.exchanges);
}

function isFilled<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}
