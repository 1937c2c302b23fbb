import type { Contract } from '../../../spec/contract.ts';
import { isSafe } from '../../../spec/operation.ts';
import { CaseClient, type EarlierAttempts } from '../../calls/case-client.ts';
import { ReadDecisions } from '../../calls/decisions.ts';
import { issuedBy, PropagationDelay } from '../../calls/propagation-delay.ts';
import { newContext, type RunContext } from '../../calls/run-context.ts';
import { SessionTracker } from '../../calls/session-tracker.ts';
import { StateLocks } from '../../calls/state-locks.ts';
import type { ActiveCheck, Case } from '../../checks/check.ts';
import { isCustom } from '../../checks/custom-check.ts';
import { defined } from '../../defined.ts';
import { statusOf } from '../../evidence/answer.ts';
import { type EvidenceRun, prefixOf, type RecordedAttempt } from '../../evidence/evidence-format.ts';
import { OutsideReasons } from '../../evidence/outside.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { sentValues } from '../../evidence/sent-values.ts';
import { groupBy } from '../../group-by.ts';
import { keptAt } from '../../kept-at.ts';
import type { Exchange, HeaderList } from '../../model/exchange.ts';
import type { Report } from '../../model/report.ts';
import type { Target } from '../../model/target.ts';
import { RequestBudget } from '../../pacing/budget.ts';
import { RateLimiter } from '../../pacing/rate-limiter.ts';
import { Interruption, TargetMonitor } from '../../pacing/target-monitor.ts';
import { InconclusiveError, unlessInconclusive } from '../../requests/inconclusive-error.ts';
import { leastMisses, standInFor } from '../../requests/key-ring.ts';
import { NoticedValues } from '../../requests/noticed-values.ts';
import { profileSettings } from '../../sampling/profile.ts';
import { ask } from '../../target/ask.ts';
import { missingNeeds } from '../../target/missing-needs.ts';
import { type Preflight, questionsInTurn, runPreflight } from '../../target/preflight.ts';
import { reportedValues } from '../run/collect-results.ts';
import { provokeThrottling } from '../run/provoke-throttling.ts';
import { bodyOf, KeptBack, RecordedControls, RecordedTarget, UnrecordedRequest } from './recorded-target.ts';

/** A recorded run, and the differences between its requests outside of cases and those that the plan requires. */
export interface RecordedRun {
  readonly context: RunContext;
  readonly differences: readonly string[];
  readonly outside: OutsideReasons;
  readonly discovered: Report['target']['discovered'];
}

/** The senders of requests outside of cases. */
export const otherSenders: ReadonlySet<string> = new Set(['preflight', 'cleanup', 'provocation']);

/**
 * Opens a recorded run, with stand-ins for its keys, and repeats its requests outside of cases: first the preflight, which
 * discovers its values.
 */
export async function openRecordedRun(
  evidence: Evidence,
  derivation: NonNullable<EvidenceRun['derivation']>,
  contract: Contract,
): Promise<RecordedRun> {
  const { run, exchanges } = evidence;
  const outside = new OutsideReasons(evidence);
  const preflight = new Map<string, Exchange[]>();
  const later: Exchange[] = [];
  const issuing: Exchange[] = [];
  let sentHeaders: HeaderList | undefined;
  for await (const exchange of exchanges()) {
    outside.note(exchange);
    sentHeaders ??= exchange.request.headers;
    if (exchange.case.check === 'preflight') keptAt(preflight, prefixOf(exchange), () => []).push(exchange);
    else if (otherSenders.has(exchange.case.check)) later.push(exchange);
    const { operation } = exchange;
    const { role: acts } = contract.find(operation) ?? {};
    const isCaptured = Object.values(run.target.captures).some(({ from }) => from === operation);
    if (statusOf(exchange) === 200 && (acts !== undefined || isCaptured)) issuing.push(exchange);
  }
  const context = contextOf(run, derivation, contract, sentHeaders ?? []);
  const { preflight: repeated, differences } = await repeatPreflight(context, preflight);
  for (const exchange of issuing) {
    const answer = { exchange, body: bodyOf(exchange) };
    for (const [value, at] of issuedBy(contract.operation(exchange.operation), answer, context.known) ?? [])
      context.propagationDelay.recall(value, at);
  }
  const hasKey = run.target.keys.scoped || run.target.keys.unscoped;
  const left = leastMisses().filter((one) => hasKey && !derivation.invalid.includes(one));
  if (left.length > 0)
    differences.unshift(`the run left out credentials that every key has: ${left.join(', ')}`);
  differences.push(...(await repeatLater(context, run, later)));
  return { context, outside, discovered: reportedValues(repeated?.discovered), differences };
}

/**
 * Repeats bursts, and calls that cancel sessions. How many were due depends on the moment, so that each recorded one is
 * compared by itself.
 */
async function repeatLater(
  context: RunContext,
  { options: { provokeRateLimit } }: EvidenceRun,
  recorded: readonly Exchange[],
): Promise<readonly string[]> {
  const { repeating, targets } = repeatingIn(context, groupBy(recorded, prefixOf));
  if (provokeRateLimit) await provokeThrottling(repeating);
  for (const exchange of recorded) {
    const { case: sender, operation: id, role, label, attempt } = exchange;
    const operation = context.contract.find(id);
    const isDue =
      role === 'cleanup' ? operation?.role === 'ends-session' : provokeRateLimit && role !== 'setup';
    if (operation === undefined || sender.operation !== id || !isDue) continue;
    const client = new CaseClient(repeating, sender.check, operation, attempt);
    const parameters = sentValues(exchange);
    const bare = role === 'cleanup' || isSafe(operation) ? {} : ({ body: 'none' } as const);
    await unlessInconclusive(() => client.call({ role, label, parameters, acceptThrottled: true, ...bare }));
  }
  return [...targets.values()].flatMap(({ differences, left }) => [
    ...differences,
    ...left.map(({ id }) => `${id}: the plan requires no such request`),
  ]);
}

function contextOf(
  run: EvidenceRun,
  derivation: NonNullable<EvidenceRun['derivation']>,
  contract: Contract,
  sentHeaders: HeaderList,
): RunContext {
  const { headers, keys, ...described } = run.target;
  const { seed, fuzzRuns, profile, curlFlags, readOnly } = run.options;
  const target: Target = {
    ...described,
    // A header that was not sent differs from any that the plan requires.
    headers: [...new Set(headers)].flatMap((name) => {
      const sent = sentHeaders.filter(([one]) => one === name);
      return sent.length === 0 ? [[name, ''] as const] : sent;
    }),
    headersFromEnvironment: [],
    options: {},
    keys: {
      ...(keys.scoped && { scoped: standInFor('scoped key') }),
      ...(keys.unscoped && { unscoped: standInFor('unscoped key') }),
    },
  };
  const given = {
    ...{ target, contract, seed, fuzzRuns, profile, curlFlags, readOnly, salt: derivation.salt },
    ...defined({ document: run.document }),
    runId: run.id,
    userAgent: run.options.userAgent ?? `${run.harness.name}/${run.harness.version}`,
    sleep: async (): Promise<void> => {},
    // Recorded exchanges replace the target.
    client: undefined as never,
    ...freshState(),
  };
  return newContext(given, derivation);
}

/** A context in which recorded exchanges replace the target outside of cases; also the stand-ins by prefix. */
function repeatingIn(
  context: RunContext,
  recorded: ReadonlyMap<string, readonly Exchange[]>,
): { readonly repeating: RunContext; readonly targets: ReadonlyMap<string, RecordedTarget> } {
  const standIn = (sent: readonly Exchange[]): RecordedTarget =>
    new RecordedTarget(context, sent, 'not recorded');
  const targets = new Map([...recorded].map(([prefix, sent]) => [prefix, standIn(sent)]));
  const transportFor: RunContext['transportFor'] = ({ check, operation, attempt }) =>
    keptAt(targets, prefixOf({ case: { check, operation: operation.id }, attempt }), () => standIn([]));
  return { repeating: { ...context, ...freshState(), transportFor }, targets };
}

async function repeatPreflight(
  context: RunContext,
  recorded: ReadonlyMap<string, readonly Exchange[]>,
): Promise<{ readonly preflight: Preflight | undefined; readonly differences: string[] }> {
  const { repeating, targets } = repeatingIn(context, recorded);
  const preflight = await unlessInconclusive(() => runPreflight(repeating));
  for (const question of questionsInTurn(context)) {
    const { operation, label } = question;
    const sender = { check: 'preflight', operation: operation.id };
    const target = targets.get(prefixOf({ case: sender, attempt: context.part }));
    const left = (): number => (target?.left ?? []).filter((one) => one.label === label).length;
    for (let most = left(); most > 0 && left() > 0; most -= 1) await ask(repeating, question);
  }
  const differences = [...targets].flatMap(([prefix, target]) => [
    ...target.differences,
    ...(target.isExhausted ? [`${prefix}: the evidence lacks a planned request of the preflight`] : []),
    ...target.left.map(({ id, label }) => `${id}: the preflight requires no such request (${label})`),
  ]);
  return { preflight, differences };
}

/** Fresh parts in place of those whose state steers the probes of a run; here recorded decisions do. */
function freshState(): Pick<RunContext, 'budget' | 'rateLimiter' | 'monitor'> & Partial<RunContext> {
  return {
    budget: new RequestBudget(Number.MAX_SAFE_INTEGER),
    rateLimiter: new RateLimiter({ concurrency: 1, rate: undefined, random: () => 0 }),
    monitor: new TargetMonitor(async () => undefined),
    interruption: new Interruption(),
    propagationDelay: new PropagationDelay(async () => {}),
    sessions: new SessionTracker(),
    locks: new StateLocks(),
    noticed: new NoticedValues(),
  };
}

/** One recorded attempt at a case, and its context from earlier ones. */
export interface MadeAttempt {
  readonly planned: Case<ActiveCheck>;
  readonly attempt: RecordedAttempt;
  readonly exchanges: readonly Exchange[];
  /** Valid calls of other cases that replaced steps of this one. */
  readonly shared: readonly Exchange[];
  /** Those of both that it was evaluated by. */
  readonly evaluated: readonly Exchange[];
  readonly earlier?: EarlierAttempts | undefined;
}

/** The comparison of the requests of an attempt with those that the seed, the target and the responses require. */
export interface RepeatedAttempt {
  readonly differences: readonly string[];
  readonly confirmed: number;
}

/**
 * Repeats the probe of an attempt, with the recorded responses in place of the target and the recorded decisions in place of
 * the state of the run, and compares each request with the recorded one. Sends nothing.
 */
export async function repeatAttempt(
  context: RunContext,
  { planned, attempt, exchanges, shared, evaluated, earlier }: MadeAttempt,
  outside?: OutsideReasons,
): Promise<RepeatedAttempt> {
  const { id: name, check, operation } = planned;
  const { reason } = attempt.gaveUp ?? {};
  const target = new RecordedTarget(context, exchanges, reason);
  const decisions = new ReadDecisions(attempt.decisions);
  // An attempt that shares no calls captures each value itself.
  const controls =
    profileSettings[context.profile].sharesCalls && !isCustom(check.id)
      ? new RecordedControls(shared, target)
      : undefined;
  // It knows for the whole run which call issued each value.
  const { propagationDelay } = context;
  const repeating = { ...context, ...freshState(), propagationDelay, controls, transportFor: () => target };
  const client = new CaseClient(repeating, check.id, operation, attempt.attempt, earlier, decisions);
  const objections: string[] = [];
  let stop: InconclusiveError | undefined;
  try {
    await check.probe(client, operation);
    if (attempt.gaveUp !== undefined && !target.isExhausted)
      objections.push(`${name}: the attempt is recorded as given up, and all of its requests were answered`);
  } catch (error) {
    if (error instanceof UnrecordedRequest) objections.push(error.message);
    else if (error instanceof InconclusiveError) stop = error;
    else objections.push(`${check.id}: ${(error as Error).message}`);
  }
  const isKeptBack = stop === undefined || stop instanceof KeptBack;
  const isRequired =
    stop?.message === reason ||
    (exchanges.length === 0 && missingNeeds(context, planned).some((need) => need.reason === reason));
  if (
    reason !== undefined &&
    !(target.isExhausted ? outside?.bearOut(isKeptBack ? attempt.gaveUp : undefined) : isRequired)
  )
    objections.push(`${name}: it was given up for a reason that its run does not bear out: ${reason}`);
  const [unplanned] = target.left;
  const [unread] = decisions.unread;
  if (objections.length === 0) {
    if (unplanned !== undefined) objections.push(`${unplanned.id}: the plan requires no such request`);
    else if (unread !== undefined) objections.push(`${name}: the plan requires no such decision (${unread})`);
    else if (attempt.gaveUp === undefined && !isEvaluatedBy(client, evaluated, attempt.unkept))
      objections.push(`${name}: the attempt was evaluated by other exchanges than those that it yields`);
    else if (JSON.stringify(client.appliedExclusions) !== JSON.stringify(attempt.leftOut))
      objections.push(`${name}: the values that it left out are not those of the plan`);
  }
  return { differences: [...target.differences, ...objections], confirmed: target.confirmed };
}

/** Whether an attempt was evaluated by the exchanges that its client holds; which ones were only counted may differ. */
function isEvaluatedBy(client: CaseClient, evaluated: readonly Exchange[], omitted: number): boolean {
  if (client.omittedCount !== omitted || client.exchanges.length !== evaluated.length) return false;
  const ids = new Set(evaluated.map(({ id }) => id));
  return omitted > 0 || client.exchanges.every(({ id }) => ids.has(id));
}
