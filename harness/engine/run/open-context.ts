import { createHash, randomBytes } from 'node:crypto';
import type { Contract } from '../../../spec/contract.ts';
import { baseUrlParts } from '../../base-url-parts.ts';
import { newContext, type RunContext } from '../../calls/run-context.ts';
import { SharedControls } from '../../calls/shared-controls.ts';
import { defined } from '../../defined.ts';
import { isSecretHeader, type SecretRegister } from '../../evidence/secret-register.ts';
import { HttpClient } from '../../http/http-client.ts';
import { harnessIdentity } from '../../identity.ts';
import type { HeaderList } from '../../model/exchange.ts';
import type { RunOptions } from '../../model/run-options.ts';
import type { SuppliedDocument } from '../../model/supplied-document.ts';
import type { Target } from '../../model/target.ts';
import { RequestBudget } from '../../pacing/budget.ts';
import { RateLimiter } from '../../pacing/rate-limiter.ts';
import { TargetMonitor } from '../../pacing/target-monitor.ts';
import { profileSettings } from '../../sampling/profile.ts';
import { seededRandom } from '../../seeded-random.ts';
import { Semaphore } from '../../semaphore.ts';
import { reachTarget } from '../../target/preflight.ts';
import { shareOf } from '../shards/divide-plan.ts';
import { requestsOf, sendingCases } from './plan.ts';
import type { PlannedRun } from './plan-run.ts';
import { casesAtOnce } from './schedule.ts';
/** Prepares everything that the cases of a run share; sends nothing. */
export function openContext(
  target: Target,
  options: RunOptions,
  {
    contract,
    document,
    planned: { whole, plan, sending },
    runId = freshRunId(target),
    disguise,
  }: {
    readonly contract: Contract;
    readonly document: SuppliedDocument | undefined;
    readonly planned: PlannedRun;
    readonly runId?: string | undefined;
    readonly disguise?: HeaderList | undefined;
  },
): RunContext {
  const share = shareOf(whole, options, sending);
  const rateLimiter = new RateLimiter({
    ...share,
    patienceMs: options.patienceMs,
    random: seededRandom(options.seed, 'pauses'),
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
    seed: options.seed,
    salt: randomBytes(16).toString('hex'),
    fuzzRuns: options.fuzzRuns,
    profile: options.profile,
    controls: profileSettings[options.profile].sharesCalls ? new SharedControls() : undefined,
    runId,
    userAgent: options.userAgent ?? `${harnessIdentity.name}/${harnessIdentity.version}`,
    readOnly: options.readOnly,
    curlFlags: options.curlFlags,
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
