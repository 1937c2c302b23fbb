import { createHash, randomBytes } from 'node:crypto';
import type { Contract } from '../../../spec/contract.ts';
import type { ContractData } from '../../../spec/operation.ts';
import { baseUrlParts } from '../../base-url-parts.ts';
import { newContext, type RunContext } from '../../calls/run-context.ts';
import { cancelOpenSessions } from '../../calls/session-tracker.ts';
import { SharedControls } from '../../calls/shared-controls.ts';
import { catalogueDigest, loadCatalogue } from '../../checks/catalogue.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { defined } from '../../defined.ts';
import { type EvidenceRun, recordedOptions, summariseTarget } from '../../evidence/evidence-format.ts';
import { type EvidenceOutcome, EvidenceWriter } from '../../evidence/evidence-writer.ts';
import { isSecretHeader, type SecretRegister } from '../../evidence/secret-register.ts';
import { HttpClient } from '../../http/http-client.ts';
import { harnessIdentity } from '../../identity.ts';
import { keptAt } from '../../kept-at.ts';
import type { HeaderList } from '../../model/exchange.ts';
import type { CaseResult, Slowed } from '../../model/report.ts';
import type { RunOptions } from '../../model/run-options.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import type { Target } from '../../model/target.ts';
import { RequestBudget } from '../../pacing/budget.ts';
import { RateLimiter } from '../../pacing/rate-limiter.ts';
import { interruptedReason, TargetMonitor } from '../../pacing/target-monitor.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { notPlanned, resultOf } from '../../results/case-result.ts';
import { profileSettings } from '../../sampling/profile.ts';
import { seededRandom } from '../../seeded-random.ts';
import { Semaphore } from '../../semaphore.ts';
import { type MissingNeed, missingNeeds } from '../../target/missing-needs.ts';
import { type Preflight, reachTarget, runPreflight } from '../../target/preflight.ts';
import { type Survey, surveyTarget } from '../../target/survey.ts';
import { Observation } from './observation.ts';
import { type Plan, requestsOf, sendingCases } from './plan.ts';
import { type PlannedRun, planRun, shareOf } from './plan-run.ts';
import { provokeThrottling } from './provoke-throttling.ts';
import { type Replay, type ReplayedFinding, type Replaying, replayFinding } from './replay-finding.ts';
import { attemptCase, casesToConfirm, confirmViolations, runCase } from './run-case.ts';
import { casesAtOnce } from './schedule.ts';
/** The input of a run; plain JSON, so that it can be passed to another thread. */
export interface RunInput {
  readonly target: Target;
  readonly options: RunOptions;
  readonly document?: SuppliedDocument;
  /** Absolute path of the file for the evidence. */
  readonly evidence?: string;
  /** An empty incomplete file that becomes the evidence. The thread that ends the process creates it and removes it. */
  readonly evidencePart?: string | undefined;
  /** Absolute path of a folder. */
  readonly customChecks?: string | undefined;
  /** Replaces the contract of the package. */
  readonly contract?: ContractData;
  /** Names the run in request ids; a fresh name if absent. */
  readonly runId?: string;
  /** Headers of another client in place of the harness's own, so that the service cannot recognise it. */
  readonly disguise?: HeaderList;
}

/** How a run gets on at the moment. */
export interface Headway {
  readonly requestsLeft: number;
  /** Responses that made requests wait so far, by status. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Operations whose requests wait for it; absent while none do. */
  readonly waiting?: readonly string[] | undefined;
}

/** Share of a run from which on waiting for a target that refuses is worth a word in its report. */
const noticeableShare = 0.2;

const notReached = 'the service was not reached';

/** Prepares everything that the cases of a run share; sends nothing. */
function openContext(
  { target, options, document, runId = freshRunId(target), disguise }: RunInput,
  contract: Contract,
  { whole, plan, sending }: PlannedRun,
): RunContext {
  const share = shareOf(whole, options, sending);
  const { seed, fuzzRuns, profile, readOnly, curlFlags } = options;
  const rateLimiter = new RateLimiter({
    ...share,
    patienceMs: options.patienceMs,
    random: seededRandom(seed, 'pauses'),
  });
  const budget = new RequestBudget(share.maxRequests);
  for (const planned of sendingCases(plan, sending)) budget.expect(planned.id, requestsOf(planned, sending));
  const context = newContext({
    target,
    ...defined({ document, disguise }),
    contract,
    client: new HttpClient(baseUrlParts(target.baseUrl).origin, share.concurrency, options),
    rateLimiter,
    budget,
    monitor: new TargetMonitor(() => reachTarget(context, { urgent: true })),
    slots: new Semaphore(casesAtOnce),
    ...{ seed, fuzzRuns, profile, readOnly, curlFlags },
    salt: randomBytes(16).toString('hex'),
    controls: profileSettings[profile].sharesCalls ? new SharedControls() : undefined,
    runId,
    userAgent: options.userAgent ?? `${harnessIdentity.name}/${harnessIdentity.version}`,
    part: options.shard?.index ?? 1,
  });
  addSecrets(context.secrets, target, options.proxy);
  return context;
}

function freshRunId({ baseUrl }: Target): string {
  return `conformance-${createHash('sha256').update(`${baseUrl} ${Date.now()}`).digest('hex').slice(0, 8)}`;
}

/** Registers the secrets other than keys: headers of the target, and credentials of the proxy. */
function addSecrets(secrets: SecretRegister, target: Target, proxy: string | undefined): void {
  const fromEnvironment = new Set(target.headersFromEnvironment);
  for (const [name, value] of target.headers) {
    if (isSecretHeader(name, value, fromEnvironment.has(name.toLowerCase())))
      secrets.add(value, `value of the header ${name}`);
  }
  if (proxy === undefined) return;
  const { username, password } = new URL(proxy);
  // A user name alone is not secret, and may be a word that occurs in responses.
  if (password !== '') secrets.add(decodeURIComponent(password), 'password of the proxy');
  else if (username !== '') secrets.add(decodeURIComponent(username), 'token of the proxy');
}

/** One run against one target, for vitest, the proof and programs. */
export class Run {
  readonly plan: Plan;
  readonly context: RunContext;
  readonly observation: Observation;
  readonly #options: RunOptions;
  readonly #evidence: EvidenceWriter | undefined;
  #preflight: Promise<Preflight> | undefined;
  readonly #openedAt = performance.now();
  #isConcluded = false;

  private constructor(
    plan: Plan,
    context: RunContext,
    options: RunOptions,
    evidence: EvidenceWriter | undefined,
  ) {
    const { contract, recorder, document } = context;
    this.plan = plan;
    this.context = context;
    this.#options = options;
    this.observation = new Observation(plan, contract, document);
    recorder.on('exchange', this.observation.observe);
    this.#evidence = evidence;
    if (evidence === undefined) return;
    recorder.on('exchange', evidence.observe);
    recorder.on('attempt', evidence.observeAttempt);
  }

  /** Loads contract and checks, and prepares the connections; sends nothing yet. */
  static async open(input: RunInput): Promise<Run> {
    const { target, document, evidence, evidencePart: prepared } = input;
    const catalogue = await loadCatalogue(input.customChecks, input.contract);
    const planned = planRun(catalogue, input);
    const options = { ...input.options, fuzzRuns: planned.sending.fuzzRuns };
    const { contract } = catalogue;
    const context = openContext({ ...input, options }, contract, planned);
    const { keys, salt, runId: id } = context;
    const described = (): EvidenceRun => ({
      id,
      harness: harnessIdentity,
      contract: contract.digest,
      catalogue: catalogueDigest(catalogue),
      target: summariseTarget(target, (text) => context.secrets.redact(text)),
      options: recordedOptions(options),
      derivation: {
        salt,
        invalid: keys.invalid.map(({ description }) => description),
        unusual: keys.allUnusual.map(({ description }) => description),
      },
      ...defined({ document }),
    });
    const writer =
      evidence === undefined ? undefined : new EvidenceWriter(evidence, described(), { prepared });
    return new Run(planned.plan, context, options, writer);
  }

  /** Reaches the target and finds values for its parameters; only the first call sends anything. */
  preflight(): Promise<Preflight> {
    this.#preflight ??= runPreflight(this.context).catch((error: unknown) => {
      if (!this.context.interruption.isRequested) throw error;
      const accepts = { scoped: undefined, unscoped: undefined };
      return { unreachable: interruptedReason, discovered: [], accepts };
    });
    return this.#preflight;
  }

  /** Ends the run early: only requests that cancel open sessions are still sent. */
  interrupt(): void {
    this.context.interruption.request(new InconclusiveError(interruptedReason));
  }

  /** Finds out more about the target than a run needs, for `init`. */
  async survey(): Promise<Survey> {
    return surveyTarget(this.context, await this.preflight());
  }

  /** Runs one case to its result; never throws. */
  async runCase(planned: Case<ActiveCheck>): Promise<CaseResult> {
    const { unreachable } = await this.preflight();
    return this.context.slots.run(async () => {
      if (this.context.interruption.isRequested) return resultOf(planned, 'inconclusive', interruptedReason);
      if (unreachable !== undefined) return resultOf(planned, 'inconclusive', notReached);
      const result = await runCase(this.context, planned, this.#options.strict);
      this.context.budget.done(planned.id);
      return result;
    });
  }

  /** Repeats the case of a finding, and cancels the sessions that this opens. */
  async replay(replayed: ReplayedFinding): Promise<Replay> {
    const { unreachable } = await this.preflight();
    if (unreachable !== undefined) return { outcome: 'cannot-tell', reason: unreachable };
    const { plan, context } = this;
    const { document } = context;
    const attemptAgain: Replaying['attemptAgain'] = (planned, attempt, shown) =>
      attemptCase(context, planned, attempt, { shown, areAll: false });
    const missing: Replaying['missing'] = (planned) => missingNeeds(context, planned);
    const replay = await replayFinding({ plan, document, attemptAgain, missing }, replayed);
    await cancelOpenSessions(context);
    return replay;
  }

  /** Cleans up after the cases, and evaluates the exchanges of the whole run; call it after the last case. */
  async conclude(): Promise<readonly CaseResult[]> {
    this.#isConcluded = true;
    const { plan, context, observation } = this;
    const { unreachable } = await this.preflight();
    // The responder at a wrong address is not the service, so requirements on responses cannot be tested either.
    if (unreachable !== undefined) {
      return [
        ...[...plan.passive, ...plan.collective].map((one) => resultOf(one, 'inconclusive', notReached)),
        ...plan.notApplicable.map((one) => resultOf(one, 'not-applicable', notPlanned)),
      ];
    }
    if (context.monitor.unreachable === undefined) {
      if (context.monitor.stopReason === undefined && !context.interruption.isRequested) {
        await confirmViolations(context, casesToConfirm(plan.active, observation.unconfirmed()));
        if (this.#options.provokeRateLimit) await provokeThrottling(context);
      }
      await cancelOpenSessions(context);
    }
    return observation.results({ baseUrl: context.target.baseUrl, ...this.#options });
  }

  /** The missing needs of the planned cases, each with its cases; complete after the preflight. */
  outlook(): ReadonlyMap<
    string,
    { readonly need: MissingNeed; readonly cases: ReadonlyArray<Case<ActiveCheck>> }
  > {
    const outlook = new Map<string, { need: MissingNeed; cases: Array<Case<ActiveCheck>> }>();
    for (const planned of this.plan.active)
      for (const need of missingNeeds(this.context, planned)) {
        const { cases } = keptAt(outlook, need.remedy, () => ({ need, cases: [] }));
        if (!cases.includes(planned)) cases.push(planned);
      }
    return outlook;
  }

  headway(): Headway {
    const { rateLimiter, budget, monitor } = this.context;
    const { refusals } = monitor.overload;
    return { requestsLeft: budget.likely, refusals, waiting: rateLimiter.waiting };
  }

  /** How refusals slowed the run down; undefined where they hardly did. */
  slowed(): Slowed | undefined {
    const { rateLimiter, budget, monitor } = this.context;
    const by = monitor.overload.refusals;
    const seconds = (performance.now() - this.#openedAt) / 1000;
    const refused = Object.values(by).reduce((sum, count) => sum + count, 0);
    const ms = Math.round(rateLimiter.slowedMs);
    if (refused === 0 || ms < noticeableShare * 1000 * seconds) return undefined;
    return { by, ms, pace: Math.max(0, Math.round((10 * (budget.sent - refused)) / seconds) / 10) };
  }

  /** Completes the evidence file, if there is one; call it when nothing more is sent. */
  finishEvidence(): EvidenceOutcome | undefined {
    return this.#evidence?.finish();
  }

  /** Ends all connections, after cancelling sessions that an interrupted survey or replay left open. */
  async close(): Promise<void> {
    if (this.context.interruption.isRequested && !this.#isConcluded) await cancelOpenSessions(this.context);
    await this.context.client.close();
  }
}
