import type { Contract } from '../../../spec/contract.ts';
import { PropagationDelay } from '../../calls/propagation-delay.ts';
import type { RunContext } from '../../calls/run-context.ts';
import { SessionTracker } from '../../calls/session-tracker.ts';
import { stateLocks } from '../../calls/state-locks.ts';
import { type EvidenceRun, prefixOf } from '../../evidence/evidence-format.ts';
import type { Evidence } from '../../evidence/read-evidence.ts';
import { Recorder } from '../../evidence/recorder.ts';
import { SecretRegister } from '../../evidence/secret-register.ts';
import type { Exchange, HeaderList, UsedValue } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { AvailabilityMonitor } from '../../pacing/availability-monitor.ts';
import { RequestBudget } from '../../pacing/budget.ts';
import { CaseSlots } from '../../pacing/case-slots.ts';
import { Interruption } from '../../pacing/interruption.ts';
import { OverloadMonitor } from '../../pacing/overload-monitor.ts';
import { RateLimiter } from '../../pacing/rate-limiter.ts';
import { InconclusiveError } from '../../requests/inconclusive-error.ts';
import { KeyRing, standInFor } from '../../requests/key-ring.ts';
import { KnownValues } from '../../requests/known-values.ts';
import { ask } from '../../target/ask.ts';
import { questionsInTurn, runPreflight } from '../../target/preflight.ts';
import { RecordedTarget } from './recorded-target.ts';
/** The context of a recorded run, and the differences between its preflight and the one that the plan requires. */
export interface RecordedContext {
  readonly context: RunContext;
  readonly differences: readonly string[];
}

/** A context with stand-ins for the keys of the run and the values that it discovered. */
export async function openRecordedContext(
  { run, exchanges }: Evidence,
  derivation: NonNullable<EvidenceRun['derivation']>,
  contract: Contract,
): Promise<RecordedContext> {
  const preflight = new Map<string, Exchange[]>();
  const discovered = new Map<string, Discovered>();
  let sentHeaders: HeaderList | undefined;
  for await (const exchange of exchanges()) {
    sentHeaders ??= exchange.request.headers;
    if (exchange.case.check === 'preflight') {
      const prefix = prefixOf(exchange);
      preflight.set(prefix, [...(preflight.get(prefix) ?? []), exchange]);
    }
    const { operation, request, role } = exchange;
    if (role !== 'control' && role !== 'setup') continue;
    for (const [name, used] of Object.entries(request.values)) {
      const key = `${operation} ${name}`;
      if (used.source === 'discovered' && contract.issuerOf(name) === undefined && !discovered.has(key))
        discovered.set(key, { operation, name, used });
    }
  }
  const context = contextOf(run, derivation, contract, sentHeaders ?? []);
  const differences = await repeatPreflight(context, preflight);
  // What the preflight does not tell is taken from the first use.
  for (const { operation: id, name, used } of discovered.values()) {
    const operation = contract.find(id);
    if (operation !== undefined && context.known.value(operation, name) === undefined)
      context.known.settle(operation, name, used);
  }
  return { context, differences };
}

interface Discovered {
  readonly operation: string;
  readonly name: string;
  readonly used: UsedValue;
}

function contextOf(
  run: EvidenceRun,
  derivation: NonNullable<EvidenceRun['derivation']>,
  contract: Contract,
  sentHeaders: HeaderList,
): RunContext {
  const { headers, keys, ...described } = run.target;
  const target: Target = {
    ...described,
    headers: headers.flatMap((name) => sentHeaders.filter(([sent]) => sent === name)),
    headersFromEnvironment: [],
    options: {},
    keys: {
      ...(keys.scoped ? { scoped: standInFor('scoped key') } : {}),
      ...(keys.unscoped ? { unscoped: standInFor('unscoped key') } : {}),
    },
  };
  const secrets = new SecretRegister();
  const parts = {
    target,
    ...(run.document === undefined ? {} : { document: run.document }),
    contract,
    secrets,
    keys: new KeyRing(target, secrets, run.options.seed, derivation),
    known: new KnownValues(target, contract),
    recorder: new Recorder(),
    interruption: { isRequested: false },
    seed: run.options.seed,
    salt: derivation.salt,
    fuzzRuns: run.options.fuzzRuns,
    profile: run.options.profile,
    runId: run.id,
    userAgent: run.options.userAgent ?? `${run.harness.name}/${run.harness.version}`,
    curlFlags: run.options.curlFlags,
    readOnly: run.options.readOnly,
    part: 1,
    slots: new CaseSlots(),
    sleep: async (): Promise<void> => {},
  };
  return parts as unknown as RunContext;
}

async function repeatPreflight(
  context: RunContext,
  recorded: ReadonlyMap<string, readonly Exchange[]>,
): Promise<readonly string[]> {
  const targets = new Map<string, RecordedTarget>();
  const transportFor: NonNullable<RunContext['transportFor']> = ({ check, operation, attempt }) => {
    const prefix = prefixOf({ case: { check, operation: operation.id }, attempt });
    const known = targets.get(prefix);
    if (known !== undefined) return known;
    const target = new RecordedTarget(context, recorded.get(prefix) ?? [], 'not recorded');
    targets.set(prefix, target);
    return target;
  };
  const replaying = { ...context, ...unsteered(), transportFor };
  await runPreflight(replaying).catch((error: unknown) => {
    if (!(error instanceof InconclusiveError)) throw error;
  });
  for (const question of questionsInTurn(context)) {
    const { operation, label } = question;
    const prefix = prefixOf({
      case: { check: 'preflight', operation: operation.id },
      attempt: context.part,
    });
    const left = (): number =>
      (targets.get(prefix)?.left ?? recorded.get(prefix) ?? []).filter((one) => one.label === label).length;
    for (let most = left(); most > 0 && left() > 0; most -= 1) await ask(replaying, question);
  }
  const others = [...recorded]
    .filter(([prefix]) => !targets.has(prefix))
    .flatMap(([, exchanges]) => exchanges);
  return [
    ...[...targets].flatMap(([prefix, target]) => [
      ...target.differences,
      ...(target.isExhausted ? [`${prefix}: the evidence lacks a planned request of the preflight`] : []),
    ]),
    ...[...[...targets.values()].flatMap(({ left }) => left), ...others].map(
      ({ id, label }) => `${id}: the preflight requires no such request (${label})`,
    ),
  ];
}

/** Fresh parts in place of those whose state steers the probes of a run; here recorded decisions do. */
export function unsteered(): Partial<RunContext> {
  return {
    budget: new RequestBudget(Number.MAX_SAFE_INTEGER),
    rateLimiter: new RateLimiter({ concurrency: 1, rate: undefined, random: () => 0 }),
    availability: new AvailabilityMonitor(async () => undefined),
    overload: new OverloadMonitor(),
    interruption: new Interruption(),
    propagationDelay: new PropagationDelay(async () => {}),
    sessions: new SessionTracker(),
    locks: stateLocks(),
  };
}
