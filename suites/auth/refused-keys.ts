import type { CaseClient } from '../../harness/calls/case-client.ts';
import { control, probe, type Step, type UnnamedStep } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import type { Credential } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';
import { together } from './way.ts';
import { waysBesideAnotherKey } from './ways-around.ts';

/**
 * Calls with one unknown key beyond the first. With that of auth/good-key-is-accepted they are more than services tolerate
 * that ban a client after three.
 */
const repetitions = 2;
/** Milliseconds before each one that repeats it as it is. */
const apartMs = 1_500;

/** The steps of a client that keeps calling with one unknown key. */
export const stubbornSteps: Readonly<Record<'led' | 'again', UnnamedStep>> = {
  led: probe('an unknown key, but with everything else that might grant access', { weight: 'medium' }),
  again: probe('the unknown key once more', { weight: 'medium', times: repetitions - 1, expects: [401] }),
};

/** Calls with a key again and again: a service may remember a refused key, or ban its client. */
export async function callStubbornly(
  client: CaseClient,
  { led, again }: Readonly<Record<keyof typeof stubbornSteps, Step>>,
  values: CallChanges,
  credential: Credential | undefined,
  valid: Exchange | undefined,
): Promise<void> {
  if (credential === undefined) return;
  const changes = { ...values, credential, neutral: [] };
  await client.repeat(led, together(waysBesideAnotherKey(client, valid), changes));
  for (let sent = 0; sent < client.times(again); sent += 1) {
    await client.spaced(apartMs);
    await client.call(again, changes);
  }
}

/** Whether a valid call needs a good key and nothing else. */
export function isPlainRead({ auth, scope, method, pathParameters }: Operation): boolean {
  return auth === 'api-key' && scope === undefined && method === 'GET' && pathParameters.length === 0;
}

/** The steps that show whether a good key is refused after invalid ones, and how long. */
export const lockoutSteps: Readonly<Record<'after' | 'later', UnnamedStep>> = {
  after: control('valid call after the invalid keys', { weight: 'medium', at: isPlainRead }),
  // auth/good-key-stays-accepted tells by these that a key which was refused has not expired.
  later: control('valid call after a pause', { followUp: true }),
};

/** Milliseconds between calls with a good key that is refused: longer in all than lockouts that guard against guessing. */
const pauses: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Sees whether the good key is refused after invalid ones, and how long; sends nothing where no such call is planned. */
export async function callUntilAccepted(
  client: CaseClient,
  { after, later }: Readonly<Record<keyof typeof lockoutSteps, Step>>,
): Promise<void> {
  let [answer] = await client.repeat(after, { isOwn: true });
  for (const pause of pauses) {
    if (answer === undefined || statusOf(answer) !== 401) return;
    await client.pause(pause);
    answer = await client.call(later, { isOwn: true });
  }
}
