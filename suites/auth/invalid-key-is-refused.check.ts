import { activeCheck } from '../../harness/checks/active-check.ts';
import { attemptControl } from '../../harness/checks/attempt-control.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, namedSteps, probe } from '../../harness/checks/step.ts';
import { statusOf } from '../../harness/evidence/answer.ts';
import { nearMissCount, shareOf } from '../../harness/requests/key-ring.ts';
import type { Operation } from '../../spec/operation.ts';
import { keyHeadline, unusualKeyViolations } from './key-violations.ts';
import { valuesToRefuse } from './refused-call.ts';
import { callUntilAccepted } from './refused-for-a-while.ts';
import { together, waysBesideAnotherKey } from './ways-around.ts';

/** Unusual values at each operation: as many as let the operations that need one scope, five or more, share all of them. */
const shared = 7;
/** Calls with one unknown key beyond the first: more than services tolerate that ban a client after three. */
const repetitions = 3;
/** Milliseconds between them. */
const apartMs = 1_500;
/** Whether a valid call needs a good key and nothing else. */
const isPlainRead = ({ auth, scope, method, pathParameters }: Operation): boolean =>
  auth === 'api-key' && scope === undefined && method === 'GET' && pathParameters.length === 0;

const unusual = 'an unusual value in place of a key';

const steps = namedSteps({
  valid: control('valid call with the key'),
  nearMiss: probe('a key that is nearly the good one, empty or malformed', {
    times: nearMissCount,
    strength: 'one',
    expects: [401],
  }),
  led: probe('an unknown key, but with what else may count as leave', { weight: 'medium' }),
  again: probe('the unknown key once more', { weight: 'medium', times: repetitions - 1, expects: [401] }),
  // The seed chooses among these, so they share a label and have no row: findings are the same for every seed.
  unreadable: probe(unusual, { weight: 'medium', times: 2, expects: [400, 401] }),
  unusual: probe(unusual, {
    times: (_operation, fuzzRuns) => Math.max(shared, Math.ceil(fuzzRuns / 2)),
    strength: 'one',
    expects: [400, 401],
  }),
  after: control('valid call after the invalid keys', { weight: 'medium', at: isPlainRead }),
  // auth/good-key-stays-accepted tells by these that a key which was refused has not expired.
  later: control('valid call after a pause', { followUp: true }),
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
    const { invalid, unreadable, allUnusual } = client.keys;
    // Most services look at keys in one place, or in one for each scope.
    const alike = client.operations.filter(
      ({ auth, scope }) => auth === 'api-key' && scope === operation.scope,
    );
    const nth = alike.indexOf(operation);
    const near = client.share(client.chosen(invalid), nth);
    for (const [at, credential] of near.entries()) {
      const label = credential.description;
      const row = { credential: label };
      // A cache may tell clients by their headers: the first one looks like the call that filled it.
      const changes = { ...values, label, row, credential, ...(at === 0 && { neutral: [] }) };
      if (client.wants(steps.nearMiss, { row })) await client.call(steps.nearMiss, changes);
    }
    const [unknown] = invalid;
    if (unknown !== undefined && client.plans(steps.again)) {
      const ways = waysBesideAnotherKey(client.keys.scoped, client.baseUrl);
      const changes = { ...values, credential: unknown, neutral: [] };
      await client.spaced(apartMs);
      await client.call(steps.led, { ...changes, ...together(ways, values) });
      for (let sent = 0; sent < client.times(steps.again); sent += 1) {
        await client.spaced(apartMs);
        await client.call(steps.again, changes);
      }
    }
    const apart = unreadable.map((credential) => ({ ...credential, weight: 'medium' }) as const);
    const among = unreadable.map((credential) => ({ ...credential, joined: 'all' }) as const);
    if (client.wants(steps.unreadable))
      for (const credential of client.chosen(apart))
        await client.call(steps.unreadable, { ...values, credential });
    const others = client.chosen([...among, ...allUnusual]);
    if (client.wants(steps.unusual))
      for (const credential of shareOf(others, nth, client.times(steps.unusual)))
        await client.call(steps.unusual, { ...values, credential });
    await callUntilAccepted(client, steps);
    if (missing !== undefined) throw missing;
  },
  evaluate: ({ steps: { valid, nearMiss, led, again, unreadable, ...others } }) => {
    const unusual = [...unreadable, ...others.unusual];
    // A call may be refused for what goes with the key, with any status.
    const accepted = led.filter((exchange) => statusOf(exchange) === 200);
    const evaluation = evaluateRefusals([...nearMiss, ...again, ...accepted], valid, {
      status: 401,
      namesProbes: true,
      statement: (exchange) => keyHeadline('An invalid key', exchange),
    });
    const alike = unusualKeyViolations(unusual, valid);
    if (evaluation.outcome !== 'violated') {
      return violatedOr(alike, () =>
        evaluation.outcome === 'pass' && unusual.length > 0
          ? pass(`${evaluation.message}, and ${unusual.length} unusual values were not accepted`)
          : evaluation,
      );
    }
    const known = new Set(evaluation.violations.map(({ actual }) => actual));
    const further = alike.filter(({ actual }) => !known.has(actual));
    return violatedOr([...evaluation.violations, ...further], () => evaluation);
  },
});

export default check;
