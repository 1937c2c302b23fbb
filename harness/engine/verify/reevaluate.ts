import { asSetUp } from '../../calls/shared-controls.ts';
import type { Catalogue } from '../../checks/catalogue.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { statusOf } from '../../evidence/answer.ts';
import {
  evaluatedNumbers,
  numberRanges,
  prefixOf,
  type RecordedAttempt,
} from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { groupBy } from '../../group-by.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/report.ts';
import { OverloadSigns } from '../../pacing/overload.ts';
import { caseIdOf } from '../../results/case-result.ts';
import { type Attempt, concludeCase, evaluateAttempt, shouldRetry } from '../run/conclude-case.ts';
import { Observation, type Observed } from '../run/observation.ts';
import type { Plan } from '../run/plan.ts';
import { planRun } from '../run/plan-run.ts';
import { casesToConfirm, firstConfirmingAttempt, retryContext } from '../run/run-case.ts';
import type { MadeAttempt } from './recorded-run.ts';
/** The results of recorded evidence. */
export interface Reevaluated extends Observed {
  readonly plan: Plan;
  /** Of every attempted case, and of every case that sends nothing. */
  readonly results: readonly CaseResult[];
  readonly unattempted: ReadonlyArray<Case<ActiveCheck>>;
  /** Statements about parts of the evidence that no run can have produced. */
  readonly objections: readonly string[];
}

/** Evaluates recorded evidence as a run with these checks would, and passes every attempt to `visit`; sends nothing. */
export async function reevaluate(
  catalogue: Catalogue,
  evidence: Evidence,
  visit: (made: MadeAttempt) => Promise<void> = async () => {},
): Promise<Reevaluated> {
  const { run } = evidence;
  const { document, options } = run;
  const { strict, curlFlags } = options;
  const reporting = { baseUrl: run.target.baseUrl, strict, curlFlags };
  const { contract } = catalogue;
  const { plan } = planRun(catalogue, run);
  const objections: string[] = [];

  const observation = new Observation(plan, contract, document);
  const signs = new OverloadSigns();
  const signsAfter = new Map(evidence.attempts.map(({ after }) => [after, signs.copy()]));
  let count = 0;
  let toConfirm: ReturnType<typeof casesToConfirm> | undefined;
  for await (const exchange of evidence.exchanges()) {
    count += 1;
    if (exchange.attempt >= firstConfirmingAttempt)
      toConfirm ??= casesToConfirm(plan.active, observation.unconfirmed());
    observation.observe(exchange);
    const { role, operation, response, failure } = exchange;
    if (role !== 'preflight' && failure === undefined) signs.note(operation, response?.status);
    if (signsAfter.has(count)) signsAfter.set(count, signs.copy());
  }

  const take = async (
    planned: Case<ActiveCheck>,
    attempt: RecordedAttempt,
    earlier: MadeAttempt['earlier'],
  ): Promise<Attempt> => {
    const exchanges = await evidence.exchangesOf(prefixOf(attempt));
    const shared = await sharedBy(attempt, evidence, objections);
    const evaluated = [...shared, ...evaluatedOf(attempt, exchanges, objections)];
    await visit({ planned, attempt, exchanges, shared, evaluated, earlier });
    return {
      evaluation: evaluateAttempt(planned, { ...attempt, exchanges: evaluated }, document),
      exchanges: evaluated,
      signs: signsAfter.get(attempt.after) ?? signs,
    };
  };
  const attempts = attemptsByCase(evidence, objections);
  const unattempted: Array<Case<ActiveCheck>> = [];
  const active: CaseResult[] = [];
  for (const planned of plan.active) {
    const recorded = attempts.get(planned.id);
    if (recorded === undefined) {
      unattempted.push(planned);
      continue;
    }
    const made: Attempt[] = [];
    for (const attempt of recorded) {
      if (made.length > 0 && !shouldRetry(made, contract))
        objections.push(`${planned.id}: attempt ${made.length + 1} was not required`);
      made.push(await take(planned, attempt, retryContext(made)));
    }
    // After a violation, another attempt may have ended in a defect of the harness.
    if (shouldRetry(made, contract) && made.every(({ evaluation }) => evaluation.outcome !== 'violated'))
      objections.push(`${planned.id}: an attempt is missing: the recorded ones require a retry`);
    active.push(concludeCase(planned, made, reporting));
  }
  toConfirm ??= casesToConfirm(plan.active, observation.unconfirmed());
  // Each shard of a merged run confirmed its own violations.
  for (const attempt of run.shards === undefined ? evidence.attempts : []) {
    if (attempt.attempt < firstConfirmingAttempt) continue;
    const name = prefixOf(attempt).slice(0, -1);
    const [planned, earlier] = [...toConfirm].find(([{ id }]) => name.startsWith(`${id}/`)) ?? [];
    if (planned === undefined || attempt.attempt > firstConfirmingAttempt + 1)
      objections.push(`${name}: the attempt was not required`);
    else await take(planned, attempt, earlier);
  }
  return {
    plan,
    results: [...active, ...observation.results(reporting)],
    unattempted,
    ...observation.observed(),
    objections,
  };
}

function attemptsByCase(
  { attempts }: Evidence,
  objections: string[],
): ReadonlyMap<string, readonly RecordedAttempt[]> {
  const byCase = groupBy(
    attempts.filter(({ attempt }) => attempt < firstConfirmingAttempt),
    (attempt) => caseIdOf(attempt.case),
  );
  for (const [id, same] of byCase)
    for (const [at, { attempt }] of same.entries())
      if (attempt !== at + 1) objections.push(`${id}: attempt ${attempt} is recorded as number ${at + 1}`);
  return byCase;
}

/** Calls of other cases that an attempt can use: one for each step that a valid call fills, and those of set-up. */
const mostShared = 16;

/** The calls of other cases that an attempt was evaluated by as well. */
async function sharedBy(
  attempt: RecordedAttempt,
  evidence: Evidence,
  objections: string[],
): Promise<readonly Exchange[]> {
  const shared: Exchange[] = [];
  const name = prefixOf(attempt).slice(0, -1);
  const listed = attempt.shared ?? [];
  // Each costs the reading of an attempt.
  if (listed.length > mostShared) objections.push(`${name}: it shares more calls than it can use`);
  for (const { id, step } of listed.slice(0, mostShared)) {
    const others = await evidence.exchangesOf(id.slice(0, id.lastIndexOf('.') + 1));
    const exchange = others.find((one) => one.id === id);
    const mayBeShared = (of: Exchange): boolean =>
      step === undefined
        ? ['control', 'setup'].includes(of.role)
        : of.role === 'control' && of.operation === attempt.case.operation;
    if (exchange !== undefined && statusOf(exchange) === 200 && mayBeShared(exchange))
      shared.push(step === undefined ? asSetUp(exchange) : { ...exchange, step });
    else objections.push(`${name}: there is no valid call ${id} to share`);
  }
  return shared;
}

function evaluatedOf(
  attempt: RecordedAttempt,
  exchanges: readonly Exchange[],
  objections: string[],
): readonly Exchange[] {
  const prefix = prefixOf(attempt);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const evaluated = evaluatedNumbers(attempt.judged, exchanges.length).flatMap((number) => {
    const exchange = byId.get(`${prefix}${number}`);
    if (exchange === undefined) objections.push(`${prefix}${number} was evaluated, but is not recorded`);
    return exchange === undefined ? [] : [exchange];
  });
  if (new Set(evaluated).size < evaluated.length)
    objections.push(`${prefix.slice(0, -1)}: an exchange was evaluated twice`);
  if (numberRanges(evaluated.map(({ id }) => id)) !== attempt.judged)
    objections.push(`${prefix.slice(0, -1)}: its list of exchanges differs from what the harness writes`);
  return evaluated;
}
