import type { Contract } from '../../spec/contract.ts';
import type { Case } from '../checks/case.ts';
import type { ActiveCheck } from '../checks/check.ts';
import type { EvidenceLog, EvidenceRun, RecordedAttempt } from '../evidence/evidence-format.ts';
import { Recorder } from '../evidence/recorder.ts';
import { SecretRegister } from '../evidence/secret-register.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Target } from '../model/target.ts';
import { mayBeThrottling, type PacedAnswer, paceStatus } from '../pacing/overload-signs.ts';
import { CaseClient, type EarlierAttempts } from '../requests/case-client.ts';
import { InconclusiveError } from '../requests/inconclusive-error.ts';
import { KeyRing, standInFor } from '../requests/key-ring.ts';
import { KnownValues } from '../requests/known-values.ts';
import type { RunContext } from '../requests/run-context.ts';
import { stateLocks } from '../requests/state-locks.ts';
import { runPreflight } from '../target/preflight.ts';
import { firstConfirmingAttempt } from './confirm-violations.ts';
import { byAttempt, prefixOfSender, RecordedTarget, UnrecordedRequest } from './recorded-target.ts';

/** The comparison of the recorded requests with those that the seed, the target and the responses require. */
export interface Recomputed {
  readonly objections: readonly string[];
  /** Requests that were computed and are as recorded. */
  readonly confirmed: number;
  /** Requests of cases. */
  readonly requests: number;
}

/** One attempt at a case, and what it knew of earlier ones. */
export interface MadeAttempt {
  readonly planned: Case<ActiveCheck>;
  readonly attempt: RecordedAttempt;
  readonly earlier?: EarlierAttempts | undefined;
}

/** Choices of a run that depended on timing, of which one after the other is tried the other way. */
const mostChoices = 40;
/** Problems that are named. */
const mostObjections = 5;

/**
 * Runs the probe of every attempt again, with the recorded responses in place of the target, and compares each request
 * with the recorded one. Sends nothing. Attempts that overload, cut connections or truncated bodies disturbed are not
 * objected to, because their course depended on more than is recorded.
 */
export async function recomputeRequests(
  { run, exchanges }: EvidenceLog,
  contract: Contract,
  made: readonly MadeAttempt[],
): Promise<Recomputed> {
  if (run.derivation === undefined) {
    const objections = run.shards === undefined ? ['it does not say what its requests derive from'] : [];
    return { objections, confirmed: 0, requests: exchanges.length };
  }
  const recorded = byAttempt(exchanges);
  const context = contextOf(run, run.derivation, contract, exchanges);
  await recallValues(context, recorded, exchanges);
  const objections: string[] = [];
  let confirmed = 0;
  let requests = 0;
  for (const one of made) {
    if (one.attempt.attempt >= firstConfirmingAttempt) continue;
    const { planned, attempt } = one;
    const sender = { check: planned.check.id, operation: planned.operation, attempt: attempt.attempt };
    const own = recorded.get(prefixOfSender(sender)) ?? [];
    const outcome = await recompute(context, one, own);
    confirmed += outcome.confirmed;
    requests += own.length;
    objections.push(...outcome.differences);
  }
  return {
    objections:
      objections.length <= mostObjections
        ? objections
        : [...objections.slice(0, mostObjections), `and ${objections.length - mostObjections} more`],
    confirmed,
    requests,
  };
}

interface Outcome {
  readonly differences: readonly string[];
  readonly confirmed: number;
}

/** Repeats the probe until its requests are the recorded ones, or no choice is left to try. */
async function recompute(
  context: RunContext,
  made: MadeAttempt,
  exchanges: readonly Exchange[],
): Promise<Outcome> {
  const choices = new Choices();
  const first = await probeOnce(context, made, exchanges, choices);
  if (exchanges.some(isDisturbed)) return { ...first, differences: [] };
  if (first.differences.length === 0) return first;
  for (let flipped = 0; flipped < Math.min(choices.made, mostChoices); flipped += 1) {
    const other = await probeOnce(context, made, exchanges, new Choices(flipped));
    if (other.differences.length === 0) return other;
  }
  return first;
}

async function probeOnce(
  context: RunContext,
  { planned: { check, operation }, attempt, earlier }: MadeAttempt,
  exchanges: readonly Exchange[],
  choices: Choices,
): Promise<Outcome> {
  const target = new RecordedTarget(context, exchanges, attempt.gaveUp?.reason);
  const client = new CaseClient(
    { ...context, ...steeredBy(target, choices, check), senderFor: () => target },
    check.id,
    operation,
    attempt.attempt,
    earlier,
  );
  const differences: string[] = [];
  try {
    await check.probe(client, operation);
    if (attempt.gaveUp !== undefined && !target.isExhausted)
      differences.push(
        `${operation.id}/${check.id}: the attempt is recorded as given up, and all of its requests were answered`,
      );
  } catch (error) {
    if (error instanceof UnrecordedRequest) {
      // The budget had no room for it, and what followed cannot be computed.
      if (error.role === 'reduction') return { differences: target.differences, confirmed: target.confirmed };
      differences.push(error.message);
    } else if (!(error instanceof InconclusiveError))
      differences.push(`${check.id}: ${(error as Error).message}`);
  }
  const [unplanned] = target.left;
  if (unplanned !== undefined && differences.length === 0)
    differences.push(`${unplanned.id}: the plan requires no such request`);
  return { differences: [...target.differences, ...differences], confirmed: target.confirmed };
}

/** Decisions that depended on timing: the evidence suggests one way, and `flipped` is the one to take the other way. */
class Choices {
  readonly #flipped: number | undefined;
  made = 0;

  constructor(flipped?: number) {
    this.#flipped = flipped;
  }

  take(suggested: boolean): boolean {
    const isFlipped = this.made === this.#flipped;
    this.made += 1;
    return isFlipped ? !suggested : suggested;
  }
}

/** The parts of a context by which the state of the run steers a probe; here the recorded exchanges do. */
function steeredBy(
  target: RecordedTarget,
  choices: Choices,
  { steps }: ActiveCheck,
): Pick<
  RunContext,
  'rateLimiter' | 'reservations' | 'fuzzBudget' | 'availability' | 'propagationDelay' | 'sessions' | 'locks'
> {
  const parts = {
    rateLimiter: {
      get remaining(): number {
        return choices.take(target.left.length > 0) ? Number.MAX_SAFE_INTEGER : 0;
      },
    },
    reservations: { total: 0, expectMore: (): void => {} },
    fuzzBudget: {
      open: (_id: string, name: string) => ({
        grant: async (most: number): Promise<number> =>
          Math.min(
            most,
            target.randomInputs((step) => steps?.[step]?.isRandom === true, name),
          ),
        learn: (): void => {},
        close: (): void => {},
      }),
    },
    availability: {
      overloadPasses: true,
      paceStatusOf: (answer: PacedAnswer): number | undefined => paceStatus(answer, true),
      noteOverloadPersisted: (): void => {},
      isWidespread: (): boolean => true,
      isOverload: (): boolean => choices.take(target.hasRepetition),
      noteOverloadPassed: (): void => {},
    },
    propagationDelay: {
      ms: 0,
      tookUntil: (): void => {},
      waited: (): void => {},
      retry: async <T>(
        _operation: string,
        call: () => Promise<T>,
        isEarly: (answer: T) => boolean,
      ): Promise<{ answer: T; waitedMs: number }> => {
        let answer = await call();
        for (let tries = 0; tries < 3 && isEarly(answer) && choices.take(target.hasRepetition); tries += 1)
          answer = await call();
        return { answer, waitedMs: 0 };
      },
    },
    sessions: {
      get anyOpened(): boolean {
        return choices.take(true);
      },
      follow: (): void => {},
      list: (): readonly string[] => [],
    },
    locks: stateLocks(),
  };
  return parts as unknown as RunContext;
}

/** A context as that of the run, with stand-ins for its keys. */
function contextOf(
  run: EvidenceRun,
  derivation: NonNullable<EvidenceRun['derivation']>,
  contract: Contract,
  exchanges: readonly Exchange[],
): RunContext {
  const { headers, keys, ...described } = run.target;
  const sentHeaders = exchanges[0]?.request.headers ?? [];
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
    sleep: async (): Promise<void> => {},
  };
  return parts as unknown as RunContext;
}

/** Repeats the preflight, so that the values which it found are known; the rest is taken from the first use. */
async function recallValues(
  context: RunContext,
  recorded: ReadonlyMap<string, readonly Exchange[]>,
  exchanges: readonly Exchange[],
): Promise<void> {
  const targets = new Map<string, RecordedTarget>();
  const senderFor: NonNullable<RunContext['senderFor']> = (sender) => {
    const prefix = prefixOfSender(sender);
    const known = targets.get(prefix);
    if (known !== undefined) return known;
    const target = new RecordedTarget(context, recorded.get(prefix) ?? [], 'not recorded');
    targets.set(prefix, target);
    return target;
  };
  const none = new RecordedTarget(context, []);
  const steered = steeredBy(none, new Choices(), { steps: {} } as unknown as ActiveCheck);
  await runPreflight({ ...context, ...steered, senderFor }).catch((error: unknown) => {
    if (!(error instanceof InconclusiveError)) throw error;
  });
  for (const { operation: id, request, role } of exchanges) {
    const operation = context.contract.find(id);
    if (operation === undefined || (role !== 'control' && role !== 'setup')) continue;
    for (const [name, used] of Object.entries(request.values)) {
      const isIssued = context.contract.issuerOf(name) !== undefined;
      if (used.source === 'discovered' && !isIssued && context.known.value(operation, name) === undefined)
        context.known.settle(operation, name, used);
    }
  }
}

/** Whether more than the recorded responses decided what followed this exchange. */
function isDisturbed(exchange: Exchange): boolean {
  const { role, response, failure } = exchange;
  return (
    // The budget decides how far an input is reduced.
    role === 'reduction' ||
    failure !== undefined ||
    mayBeThrottling(exchange) ||
    response?.body.truncated === true
  );
}
