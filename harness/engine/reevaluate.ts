import type { Case } from '../checks/case.ts';
import type { Catalogue } from '../checks/catalogue.ts';
import type { ActiveCheck } from '../checks/check.ts';
import {
  type EvidenceLog,
  evaluatedNumbers,
  prefixOf,
  type RecordedAttempt,
} from '../evidence/evidence-format.ts';
import { Recorder } from '../evidence/recorder.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, CoverageEntry, ShapeEntry, Traffic } from '../model/report.ts';
import { OverloadSigns } from '../pacing/overload-signs.ts';
import { type Attempt, concludeCase, evaluateAttempt, shouldRetry } from './conclude-case.ts';
import { firstConfirmingAttempt } from './confirm-violations.ts';
import { Observation } from './observation.ts';
import type { Plan } from './plan.ts';
import { planRun } from './plan-run.ts';
import type { MadeAttempt } from './recompute-requests.ts';
import { retryContext } from './run-case.ts';

/** The results of recorded evidence. */
export interface Reevaluated {
  readonly plan: Plan;
  /** Of every attempted case, and of every case that sends nothing. */
  readonly results: readonly CaseResult[];
  /** Active cases without a recorded attempt. */
  readonly unattempted: ReadonlyArray<Case<ActiveCheck>>;
  readonly coverage: readonly CoverageEntry[];
  readonly traffic: Traffic;
  readonly shapes: readonly ShapeEntry[];
  /** Every evaluated attempt of an active case. */
  readonly made: readonly MadeAttempt[];
  /** Sentences that say what in the evidence no run can have produced. */
  readonly objections: readonly string[];
}

/** Evaluates recorded evidence as a run with these checks would; sends nothing. */
export function reevaluate(catalogue: Catalogue, log: EvidenceLog): Reevaluated {
  const { run, exchanges } = log;
  const { baseUrl } = run.target;
  const { strict, curlFlags } = run.options;
  const { document } = run;
  const { contract } = catalogue;
  const { plan } = planRun(catalogue, { options: run.options, document });
  const objections: string[] = [];

  const recorder = new Recorder();
  const observation = new Observation(recorder, plan, contract, document);
  for (const exchange of exchanges) recorder.record(exchange);

  const attempts = attemptsByCase(log, objections);
  const signsAt = overloadSigns(exchanges);
  const unattempted: Array<Case<ActiveCheck>> = [];
  const allMade: MadeAttempt[] = [];
  const active = plan.active.flatMap((planned) => {
    const recorded = attempts.get(planned.id);
    if (recorded === undefined) {
      unattempted.push(planned);
      return [];
    }
    const made = recorded.map(({ exchanges: evaluated, attempt }): Attempt => {
      const { gaveUp, unkept: omittedCount, leftOut: appliedExclusions } = attempt;
      const evidence = {
        exchanges: evaluated,
        omittedCount,
        appliedExclusions,
        ...(gaveUp === undefined ? {} : { gaveUp }),
      };
      return {
        evaluation: evaluateAttempt(planned, evidence, document),
        exchanges: evaluated,
        signs: signsAt(attempt.after),
      };
    });
    // After a violation, another attempt may have ended in a defect of the harness.
    if (shouldRetry(made, contract) && made.every(({ evaluation }) => evaluation.outcome !== 'violated'))
      objections.push(`${planned.id}: an attempt is missing: the recorded ones require a retry`);
    const early = made.findIndex((_attempt, at) => at > 0 && !shouldRetry(made.slice(0, at), contract));
    allMade.push(
      ...recorded.map(({ attempt }, at) => ({ planned, attempt, earlier: retryContext(made.slice(0, at)) })),
    );
    if (early >= 0) objections.push(`${planned.id}: attempt ${early + 1} had no reason to be made`);
    return [concludeCase(planned, made, { baseUrl, strict, curlFlags })];
  });
  return {
    plan,
    results: [...active, ...observation.results(baseUrl, strict, curlFlags)],
    unattempted,
    coverage: observation.coverage(),
    traffic: observation.traffic(),
    shapes: observation.shapes(),
    made: allMade,
    objections,
  };
}

/** An attempt with the exchanges that were evaluated. */
interface GatheredAttempt {
  readonly attempt: RecordedAttempt;
  readonly exchanges: readonly Exchange[];
}

function attemptsByCase(
  { attempts, exchanges }: EvidenceLog,
  objections: string[],
): ReadonlyMap<string, readonly GatheredAttempt[]> {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const byCase = new Map<string, GatheredAttempt[]>();
  for (const attempt of attempts) {
    if (attempt.attempt >= firstConfirmingAttempt) continue;
    const id = `${attempt.case.operation}/${attempt.case.check}`;
    const gathered = byCase.get(id) ?? [];
    byCase.set(id, gathered);
    if (attempt.attempt !== gathered.length + 1)
      objections.push(`${id}: attempt ${attempt.attempt} is recorded as number ${gathered.length + 1}`);
    const prefix = prefixOf(attempt);
    const evaluated = evaluatedNumbers(attempt.judged, exchanges.length).flatMap((number) => {
      const exchange = byId.get(`${prefix}${number}`);
      if (exchange === undefined) objections.push(`${prefix}${number} was evaluated, and is not there`);
      return exchange === undefined ? [] : [exchange];
    });
    if (new Set(evaluated).size < evaluated.length) objections.push(`${id}: an exchange was evaluated twice`);
    gathered.push({ attempt, exchanges: evaluated });
  }
  return byCase;
}

/** The signs of overload after a number of exchanges. */
function overloadSigns(exchanges: readonly Exchange[]): (after: number) => OverloadSigns {
  const known = new Map<number, OverloadSigns>();
  return (after) => {
    const before = known.get(after);
    if (before !== undefined) return before;
    const start = Math.max(0, ...[...known.keys()].filter((number) => number < after));
    const signs = known.get(start)?.copy() ?? new OverloadSigns();
    for (const { role, operation, response, failure } of exchanges.slice(start, after)) {
      if (role !== 'preflight' && failure === undefined) signs.note(operation, response?.status);
    }
    known.set(after, signs);
    return signs;
  };
}
