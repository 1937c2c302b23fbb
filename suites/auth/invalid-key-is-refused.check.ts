import { activeCheck } from '../../harness/checks/active-check.ts';
import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { Profile } from '../../harness/profile.ts';
import type { CaseClient } from '../../harness/requests/case-client.ts';
import { shareOf } from '../../harness/requests/key-ring.ts';
import { mayBeMalformed } from '../../harness/requests/unusual-keys.ts';
import type { Operation } from '../../spec/operation.ts';
import { valuesToRefuse } from './refused-call.ts';

/** Values that every operation gets, whatever the seed. */
const mostUnreadable = 2;

/** Unusual values for each operation in a quick run: together the operations get a sample of them. */
const unusualInQuick = 1;

/** Most near misses of a key. */
const mostKeys = 12;
/** Keys that few services accept which accept none of the others. */
const rare = [
  'key with one character changed near its start',
  'key with one character changed near its end',
  'first half of the key',
];

/** Milliseconds between calls with a good key that is refused: longer in all than lockouts that guard against guessing. */
const pauses: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

const steps = namedSteps({
  valid: control('valid call with the key'),
  nearMiss: probe('a key that is nearly the good one, empty or malformed', {
    most: (_operation, _fuzzRuns, profile) => keysFor(profile),
    expects: [401],
  }),
  // The seed chooses among these, so they share a label and have no row: findings are the same for every seed.
  unusual: probe('an unusual value in place of a key', {
    most: (_operation, fuzzRuns, profile) =>
      unusualFor({ profile, fuzzRuns }) + (fuzzRuns === 0 ? 0 : mostUnreadable),
    expects: [400, 401],
  }),
  after: control('valid call after the invalid keys', {
    most: (operation) => (isPlainRead(operation) ? 1 : 0),
    reserved: (operation, _fuzzRuns, profile) => (isPlainRead(operation) && profile !== 'quick' ? 1 : 0),
  }),
  // auth/good-key-stays-accepted tells by these that a key which was refused has not expired.
  later: control('valid call after a pause', {
    most: (operation) => (isPlainRead(operation) ? pauses.length : 0),
    reserved: 0,
  }),
});

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'AUTH-3',
  title: 'an invalid key gets 401: unknown, empty, malformed, or nearly a good one',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: async (client, operation) => {
    const missing = await attemptControl(client, steps.valid);
    const values = await valuesToRefuse(client, operation);
    const { invalid } = client.keys;
    const keyed = client.operations.filter(({ auth }) => auth === 'api-key');
    const nth = keyed.findIndex(({ id }) => id === operation.id);
    const isQuick = client.profile === 'quick';
    // Most services look at keys in one place: in a quick run, each operation takes its own share of the values.
    const near = isQuick
      ? shareOf(invalid, nth, 1)
      : invalid.filter(({ description }) => isSentIn(client.profile, description));
    for (const [at, credential] of near.entries()) {
      const label = credential.description;
      const row = { credential: label };
      if (client.wants(steps.nearMiss, { row }))
        // A cache may tell clients by their headers: the first one looks like the call that filled it.
        await client.call(steps.nearMiss, {
          ...values,
          label,
          row,
          credential,
          ...(at === 0 && { neutral: [] }),
        });
    }
    const plainReads = keyed.filter(isPlainRead);
    // In a quick run, the last one stands for all, in place of one value.
    const callsAfter = isQuick ? operation.id === plainReads.at(-1)?.id : plainReads.includes(operation);
    const most = unusualFor(client) - (isQuick && callsAfter ? 1 : 0);
    const count = client.wants(steps.unusual) ? most : 0;
    const { keys } = client;
    const unusual = isQuick
      ? shareOf([...keys.unreadable, ...keys.allUnusual], nth, unusualInQuick).slice(0, count)
      : [...(count === 0 ? [] : keys.unreadable), ...keys.unusual(nth, count)];
    for (const credential of unusual) {
      await client.call(steps.unusual, { ...values, credential });
    }
    if (callsAfter) await callUntilAccepted(client);
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ steps: { valid, nearMiss, unusual } }) => {
    const evaluation = evaluateRefusals(nearMiss, valid, {
      status: 401,
      namesProbes: true,
      statement: (exchange) => headline('An invalid key', exchange),
    });
    const others = unusualViolations(unusual, valid);
    if (evaluation.outcome !== 'violated') {
      return violatedOr(others, () =>
        evaluation.outcome === 'pass' && unusual.length > 0
          ? pass(`${evaluation.message}, and ${unusual.length} unusual values were not accepted`)
          : evaluation,
      );
    }
    const known = new Set(evaluation.violations.map(({ actual }) => actual));
    const further = others.filter(({ actual }) => !known.has(actual));
    return violatedOr([...evaluation.violations, ...further], () => evaluation);
  },
});

export default check;

/** Whether a valid call needs a good key and nothing else. */
function isPlainRead({ auth, scope, method, pathParameters }: Operation): boolean {
  return auth === 'api-key' && scope === undefined && method === 'GET' && pathParameters.length === 0;
}

/** Sees whether the good key is refused after the invalid ones, and how long. */
async function callUntilAccepted(client: CaseClient): Promise<void> {
  let answer = await client.call(steps.after, { isOwn: true });
  for (const pause of pauses) {
    if (statusOf(answer) !== 401) return;
    await client.pause(pause);
    answer = await client.call(steps.later, { isOwn: true });
  }
}

/** One violation for each kind of response, as the seed chooses the values. */
function unusualViolations(unusual: readonly Exchange[], valid: readonly Exchange[]): readonly Violation[] {
  const evaluation = evaluateRefusals(
    unusual.filter((exchange) => statusOf(exchange) !== 400 || !mayBeMalformed.has(descriptionOf(exchange))),
    valid,
    { status: 401, statement: (exchange) => headline('An unusual value in place of a key', exchange) },
  );
  if (evaluation.outcome !== 'violated') return [];
  const byAnswer = new Map<string, Violation>();
  for (const violation of evaluation.violations) {
    const detail = descriptionOf(violation.exchange);
    if (!byAnswer.has(violation.actual)) byAnswer.set(violation.actual, { ...violation, detail });
  }
  return [...byAnswer.values()];
}

function isSentIn(profile: Profile, description: string): boolean {
  return profile === 'deep' || !rare.includes(description);
}

/** Unusual values for each operation. */
function unusualFor({ profile, fuzzRuns }: { readonly profile: Profile; readonly fuzzRuns: number }): number {
  return profile === 'quick' ? unusualInQuick : Math.ceil(fuzzRuns / 2);
}

function keysFor(profile: Profile): number {
  if (profile === 'quick') return 1;
  return profile === 'deep' ? mostKeys : mostKeys - rare.length;
}

function headline(what: string, exchange: Exchange): string {
  return `${what} ${statusOf(exchange) === 200 ? 'was accepted' : 'was not refused with 401'}`;
}

function descriptionOf({ request }: Exchange): string {
  return request.credential.description;
}
