import { createHash } from 'node:crypto';
import type { Contract, Operation } from '../../spec/contract.ts';
import type { ContractData } from '../../spec/operation.ts';
import type { Case } from '../checks/case.ts';
import { loadCatalogue } from '../checks/catalogue.ts';
import { catalogueDigest } from '../checks/catalogue-digest.ts';
import type { ActiveCheck } from '../checks/check.ts';
import { isCustom } from '../checks/custom-check.ts';
import { CoverageLedger } from '../evidence/coverage-ledger.ts';
import { recordedOptions } from '../evidence/evidence-format.ts';
import { type EvidenceOutcome, EvidenceWriter } from '../evidence/evidence-writer.ts';
import { Recorder } from '../evidence/recorder.ts';
import { isSecretHeader } from '../evidence/secret-header.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import { ShapeLedger } from '../evidence/shape-ledger.ts';
import { summariseTarget } from '../evidence/target-summary.ts';
import { TrafficMeter } from '../evidence/traffic-meter.ts';
import type { Protocol } from '../http/connections.ts';
import { HttpClient } from '../http/http-client.ts';
import { harnessIdentity } from '../identity.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CaseResult, CoverageEntry, ShapeEntry, Traffic } from '../model/report.ts';
import type { RunOptions } from '../model/run-options.ts';
import type { SuppliedDocument } from '../model/supplied-document.ts';
import type { Target } from '../model/target.ts';
import { AvailabilityMonitor } from '../pacing/availability-monitor.ts';
import { BudgetReservations, spareRequests } from '../pacing/budget-reservations.ts';
import { FuzzBudget } from '../pacing/fuzz-budget.ts';
import { RateLimiter } from '../pacing/rate-limiter.ts';
import { cancelOpenSessions } from '../requests/cancel-open-sessions.ts';
import { CaseClient } from '../requests/case-client.ts';
import { KeyRing } from '../requests/key-ring.ts';
import { KnownValues } from '../requests/known-values.ts';
import { PropagationDelay } from '../requests/propagation-delay.ts';
import type { RunContext } from '../requests/run-context.ts';
import { SessionTracker } from '../requests/session-tracker.ts';
import { stateLocks } from '../requests/state-locks.ts';
import { resultOf } from '../results/case-result.ts';
import { seededRandom } from '../seeded-random.ts';
import { type MissingNeed, missingNeeds } from '../target/missing-needs.ts';
import { type Preflight, reachTarget, runPreflight } from '../target/preflight.ts';
import { type Survey, surveyTarget } from '../target/survey.ts';
import { type Collection, collectionsOf } from './collection.ts';
import { partOfPlan } from './divide-plan.ts';
import { PassiveMonitor } from './passive-monitor.ts';
import { mostRequests, type Plan, planCases } from './plan.ts';
import { provokeThrottling } from './provoke-throttling.ts';
import { type AttemptAgain, type Replay, type ReplayedFinding, replayFinding } from './replay.ts';
import { attemptCase, runCase } from './run-case.ts';
import { shareOf } from './share.ts';

/** All that a run needs to know; plain JSON, so that it can be handed to another thread. */
export interface RunInput {
  readonly target: Target;
  readonly options: RunOptions;
  /** The platform's own OpenAPI document, as loadDocument gives it. */
  readonly document?: SuppliedDocument;
  /** Path of the file to which every exchange is written. */
  readonly evidence?: string;
  /** Absolute path of a folder with checks that are made beside ours. */
  readonly customChecks?: string | undefined;
  /** Tested in place of the contract that the package holds. */
  readonly contract?: ContractData;
}

/** Requests that in all may go into showing once-seen violations a second time. */
const confirmations = 12;
/** Attempt numbers of cases that are only repeated for what the passive checks saw. */
const confirmingAttempt = 91;

/** One run against one target: knows nothing of who calls it, be it vitest, the proof or a program. */
export class Run {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly #context: RunContext;
  readonly #options: RunOptions;
  readonly #monitors: readonly PassiveMonitor[];
  readonly #collections: readonly Collection[];
  readonly #ledger = new CoverageLedger();
  readonly #meter = new TrafficMeter();
  readonly #shapes = new ShapeLedger();
  readonly #evidence: EvidenceWriter | undefined;
  #preflight: Promise<Preflight> | undefined;

  private constructor(
    contract: Contract,
    plan: Plan,
    context: RunContext,
    options: RunOptions,
    evidence: EvidenceWriter | undefined,
  ) {
    this.contract = contract;
    this.#evidence = evidence;
    this.plan = plan;
    this.#context = context;
    this.#options = options;
    this.#monitors = plan.passive.map((planned) => new PassiveMonitor(planned, context.document));
    this.#collections = collectionsOf(plan.collective, context.document);
    context.recorder.subscribe(this.#meter.observe);
    // What checks of somebody else send is theirs alone: ours are judged as if they were not there.
    const ours = (observe: (exchange: Exchange) => void) => (exchange: Exchange) => {
      if (!isCustom(exchange.case.check)) observe(exchange);
    };
    for (const { observe } of [this.#ledger, this.#shapes]) context.recorder.subscribe(ours(observe));
    for (const { check, observe } of this.#collections)
      context.recorder.subscribe(isCustom(check) ? observe : ours(observe));
    for (const { check, operation, observe } of this.#monitors)
      context.recorder.subscribeTo(operation, isCustom(check) ? observe : ours(observe));
    if (evidence !== undefined) {
      context.recorder.subscribe(evidence.observe);
      context.recorder.subscribeToAttempts(evidence.observeAttempt);
    }
  }

  /** Loads contract and checks, and readies the connections; sends nothing yet. */
  static async open({
    target,
    options,
    document,
    evidence,
    customChecks,
    contract: other,
  }: RunInput): Promise<Run> {
    const { contract, requirements, checks } = await loadCatalogue(customChecks, other);
    const whole = planCases(contract, checks, requirements, options);
    const sending = { fuzzRuns: options.fuzzRuns, hasDocument: document !== undefined };
    const share = shareOf(whole, options, sending);
    const secrets = new SecretRegister();
    const keys = new KeyRing(target, secrets, options.seed);
    const fromEnvironment = new Set(target.headersFromEnvironment);
    for (const [name, value] of target.headers) {
      if (isSecretHeader(name, value, fromEnvironment.has(name.toLowerCase())))
        secrets.add(value, `value of the header ${name}`);
    }
    registerProxy(options.proxy, secrets);
    const plan = partOfPlan(whole, options.shard, sending);
    const senders = plan.active.filter(({ check }) => check.needsDocument !== true || document !== undefined);
    const announced = senders.reduce((sum, planned) => sum + mostRequests(planned, options.fuzzRuns), 0);
    const rateLimiter = new RateLimiter({
      ...share,
      patienceMs: options.patienceMs,
      random: seededRandom(options.seed, 'pauses'),
    });
    const context: RunContext = {
      target,
      ...(document === undefined ? {} : { document }),
      contract,
      secrets,
      keys,
      client: new HttpClient(new URL(target.baseUrl).origin, share.concurrency, {
        timeoutMs: options.timeoutMs,
        insecure: options.insecure,
        http2: options.http2,
        ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
        ...(options.unixSocket === undefined ? {} : { unixSocket: options.unixSocket }),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        ...(options.clientCert === undefined ? {} : { clientCert: options.clientCert }),
        ...(options.clientKey === undefined ? {} : { clientKey: options.clientKey }),
      }),
      rateLimiter,
      reservations: new BudgetReservations(),
      fuzzBudget: new FuzzBudget({
        isEnough: announced <= rateLimiter.remaining,
        room: () => spareRequests(context),
        onGrant: (id, inputs) => context.reservations.expectMore(id, inputs),
      }),
      availability: new AvailabilityMonitor(() => reachTarget(context, { urgent: true })),
      known: new KnownValues(target, contract),
      recorder: new Recorder(),
      sessions: new SessionTracker(),
      locks: stateLocks(),
      propagationDelay: new PropagationDelay(),
      seed: options.seed,
      fuzzRuns: options.fuzzRuns,
      runId: `conformance-${createHash('sha256').update(`${target.baseUrl} ${Date.now()}`).digest('hex').slice(0, 8)}`,
      userAgent: `${harnessIdentity.name}/${harnessIdentity.version}`,
      readOnly: options.readOnly,
      curlFlags: options.curlFlags,
      part: options.shard?.index ?? 1,
    };
    const writer =
      evidence === undefined
        ? undefined
        : new EvidenceWriter(evidence, {
            id: context.runId,
            harness: harnessIdentity,
            contract: contract.digest,
            catalogue: catalogueDigest({ requirements, checks }),
            target: summariseTarget(target, (text) => secrets.redact(text)),
            options: recordedOptions(options),
            ...(document === undefined ? {} : { document }),
          });
    for (const { id, check, operation } of senders)
      context.reservations.expect(id, check.requests(operation, options.fuzzRuns));
    return new Run(contract, plan, context, options, writer);
  }

  /** Has `observe` called with every exchange from now on. */
  subscribe(observe: (exchange: Exchange) => void): void {
    this.#context.recorder.subscribe(observe);
  }

  /** Reaches the target and settles known values; done once, however often it is asked for. */
  preflight(): Promise<Preflight> {
    this.#preflight ??= runPreflight(this.#context);
    return this.#preflight;
  }

  /** What else the target says of itself when it is asked, beyond what a run has need to ask. */
  async survey(): Promise<Survey> {
    return surveyTarget(this.#context, await this.preflight());
  }

  /** For programs that call outside of any case: what they exchange is recorded and judged like all else. */
  openClient(check: string, operation: Operation): CaseClient {
    return new CaseClient(this.#context, check, operation, 1);
  }

  /** Runs one case to its result; never throws. */
  async runCase(planned: Case<ActiveCheck>): Promise<CaseResult> {
    const { unreachable } = await this.preflight();
    if (unreachable !== undefined) return resultOf(planned, 'inconclusive', 'the target cannot be reached');
    const result = await runCase(this.#context, planned, this.#options.strict);
    this.leaveOut(planned);
    return result;
  }

  /** Nothing need be kept in the budget for this case, be it that it is over or that it is not made. */
  leaveOut(planned: Case<ActiveCheck>): void {
    this.#context.reservations.done(planned.id);
  }

  /** Sends a finding's exchanges again; sessions that this opens are cancelled. */
  async replay(replayed: ReplayedFinding): Promise<Replay> {
    const { unreachable } = await this.preflight();
    if (unreachable !== undefined) return { outcome: 'cannot-tell', reason: unreachable };
    const context = this.#context;
    const attemptAgain: AttemptAgain = (planned, attempt, shown) =>
      attemptCase(context, planned, attempt, { shown, areAll: false });
    const replay = await replayFinding(this.plan, attemptAgain, replayed, context.document);
    await cancelOpenSessions(context);
    return replay;
  }

  /** Judges what was seen in all: to be called after the last case. Cleans up what the cases left behind. */
  async conclude(): Promise<readonly CaseResult[]> {
    const { unreachable } = await this.preflight();
    if (unreachable === undefined && this.#context.availability.unreachable === undefined) {
      if (this.#context.availability.stopReason === undefined) {
        await this.#confirm();
        if (this.#options.provokeRateLimit) await provokeThrottling(this.#context);
      }
      await cancelOpenSessions(this.#context);
    }
    const { baseUrl } = this.#context.target;
    const { strict, curlFlags } = this.#options;
    return [
      ...this.#monitors.map((monitor) => monitor.result(baseUrl, strict, curlFlags)),
      ...this.#collections.flatMap((collection) => collection.results(baseUrl, strict, curlFlags)),
      ...this.plan.notApplicable.map((planned) =>
        resultOf(planned, 'not-applicable', 'the requirement says nothing of this operation'),
      ),
    ];
  }

  /** What the planned cases lack, each with the cases that lack it; complete only after the preflight. */
  outlook(): ReadonlyMap<
    string,
    { readonly need: MissingNeed; readonly cases: ReadonlyArray<Case<ActiveCheck>> }
  > {
    const outlook = new Map<string, { need: MissingNeed; cases: Array<Case<ActiveCheck>> }>();
    for (const planned of this.plan.active) {
      for (const need of missingNeeds(this.#context, planned)) {
        const entry = outlook.get(need.remedy) ?? { need, cases: [] };
        if (!entry.cases.includes(planned)) entry.cases.push(planned);
        outlook.set(need.remedy, entry);
      }
    }
    return outlook;
  }

  /** Why the run was ended before its time, such as that the target stopped answering; undefined where it was not. */
  get died(): string | undefined {
    return this.#context.availability.stopReason;
  }

  /** The protocol that the target was spoken to in. */
  get protocol(): Protocol {
    return this.#context.client.protocol;
  }

  traffic(): Traffic {
    return this.#meter.snapshot();
  }

  coverage(): readonly CoverageEntry[] {
    return this.#ledger.entries(this.contract.operations);
  }

  shapes(): readonly ShapeEntry[] {
    return this.#shapes.entries(this.contract.operations);
  }

  /** Every text that leaves the run goes through here once more: a key that got past the recorder ends here. */
  redact(text: string): string {
    return this.#context.secrets.redact(text);
  }

  /** Tells what became of the evidence, if any was asked for; to be called when nothing is sent any more. */
  finishEvidence(): EvidenceOutcome | undefined {
    return this.#evidence?.finish();
  }

  async close(): Promise<void> {
    await this.#context.client.close();
  }

  async #confirm(): Promise<void> {
    const cases = new Map<string, { readonly planned: Case<ActiveCheck>; readonly shown: Exchange[] }>();
    const ours = this.#monitors.filter(({ check }) => !isCustom(check));
    for (const exchange of ours.flatMap((monitor) => monitor.unconfirmed())) {
      const { check, operation } = exchange.case;
      const planned = this.plan.active.find(
        (one) => one.check.id === check && one.operation.id === operation,
      );
      if (planned === undefined) continue;
      const known = cases.get(planned.id);
      if (known === undefined) cases.set(planned.id, { planned, shown: [exchange] });
      else known.shown.push(exchange);
    }
    const chosen = [...cases.values()]
      .sort((a, b) => a.planned.id.localeCompare(b.planned.id))
      .slice(0, confirmations);
    for (const { planned, shown } of chosen) {
      const earlier = { shown, areAll: false };
      await attemptCase(this.#context, planned, confirmingAttempt, earlier);
      await attemptCase(this.#context, planned, confirmingAttempt + 1, earlier);
    }
  }
}

function registerProxy(proxy: string | undefined, secrets: SecretRegister): void {
  if (proxy === undefined) return;
  const { username, password } = new URL(proxy);
  // A name alone is no secret, and may be a word that answers hold.
  if (password !== '') secrets.add(decodeURIComponent(password), 'password of the proxy');
  else if (username !== '') secrets.add(decodeURIComponent(username), 'token of the proxy');
}
