import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { notTested, pass, violated } from '../../harness/checks/outcomes.ts';
import { control, probe, type Step, witness } from '../../harness/checks/step.ts';
import {
  cookiesSetBy,
  describeAnswer,
  headerOf,
  isBlockedInFront,
  statusOf,
} from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { type CallChanges, jsonBody } from '../../harness/requests/call-spec.ts';
import type { Planned } from '../../harness/sampling/profile.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { deviationOf } from '../client/client-answers.ts';

/** Longer than whole seconds after which caches expire, pools shrink and workers sleep, and in a deep run than half a minute. */
const rests: ReadonlyArray<Planned & { readonly ms: number }> = [
  { ms: 2_500 },
  { weight: 'low', ms: 31_000 },
];

/** Calls beside the first ones. */
const besideFirst = 9;

export const check: ActiveCheck = activeCheck({
  stage: 'rest',
  requirement: 'SURFACE-1',
  title: 'the first call after an idle period is answered like any other',
  // Sessions and logins may expire meanwhile.
  applies: ({ takesIssued, role }) =>
    takesIssued === undefined && role !== 'creates-session' && role !== 'consumes-login',
  weight: () => 'medium',
  steps: {
    before: control('valid call', { at: isSafe }),
    rested: probe('valid call after a rest'),
    withoutScope: probe('call with a key without the scope after a rest', {
      at: ({ auth }) => auth === 'api-key',
    }),
    // It may meet a cache or a lock that the first one renews.
    second: probe('second valid call after a rest', { weight: 'medium', at: isSafe }),
    beside: probe('valid call beside the first one after a rest', {
      weight: 'low',
      at: isSafe,
      times: besideFirst,
    }),
    again: witness('the same call once more', { followUp: true }),
    // Passive checks evaluate it.
    tagged: witness('call with the entity tag of the previous visit', { weight: 'medium', at: isSafe }),
  },
  probe: async (client, steps, operation) => {
    const { unscoped } = client.keys;
    const parameters: Record<string, string> = {};
    for (const name of operation.pathParameters) parameters[name] = (await client.knownValue(name)).value;
    const body = isSafe(operation) ? {} : { body: jsonBody(await client.validBody()) };
    // A returning visitor sends the cookies of the previous visit.
    const [before] = await client.repeat(steps.before);
    const cookie = before && cookiesSetBy(before);
    const tag = before && headerOf(before, 'etag');
    await client.pause(Math.max(...client.chosen(rests).map(({ ms }) => ms)));
    const send = async (step: Step, changes: CallChanges = {}): Promise<void> => {
      // A server may close an idle connection.
      const same = { ...changes, parameters, ...body, connection: 'fresh' } as const;
      const headers = cookie && step === steps.rested && { headers: { cookie } };
      const calls = Array.from({ length: client.times(step) }, () =>
        client.call(step, { ...same, ...headers }),
      );
      const wrong = (await Promise.all(calls)).find((one) => defectOf(one, operation) !== undefined);
      if (wrong !== undefined) await client.call(steps.again, same);
    };
    await Promise.all([
      send(steps.rested),
      send(steps.second),
      send(steps.beside),
      unscoped && send(steps.withoutScope, { credential: unscoped }),
      tag &&
        client.call(steps.tagged, {
          parameters,
          headers: { 'if-none-match': tag },
          row: { condition: 'own tag' },
        }),
    ]);
  },
  evaluate: ({ operation, steps: { rested, second, beside, withoutScope, again } }) => {
    const first = [...rested, ...second, ...beside, ...withoutScope];
    const wrong = first.find((one) => defectOf(one, operation) !== undefined);
    if (rested.length === 0) return notTested('no call was sent after an idle period');
    const usual = first.filter((one) => statusOf(one) === expectedStatus(one, operation)).length;
    if (wrong === undefined && usual > 0)
      return pass(`answered as usual after an idle period in ${usual} of ${first.length} calls`);
    if (wrong === undefined) return notTested('no call after an idle period was answered as usual');
    const next = again.find(({ request }) => request.credential.kind === wrong.request.credential.kind);
    if (next === undefined || defectOf(next, operation) !== undefined)
      return notTested(`answered ${describeAnswer(wrong)} after an idle period, and again when repeated`);
    return violated({
      statement: 'The first call after an idle period was not answered like the next one',
      expected: String(expectedStatus(wrong, operation)),
      actual: defectOf(wrong, operation) ?? '',
      company: 'after some seconds without calls',
      fix: 'Look for something that ends or expires while the service is idle: a session that a cookie names, a pooled connection that the other end closed, a cache entry that is empty while it reloads, a worker that must start first.',
      exchange: wrong,
    });
  },
});

function expectedStatus({ request }: Exchange, { scope }: Operation): number {
  return scope !== undefined && request.credential.kind === 'unscoped' ? 403 : 200;
}

/** The defect of a response; undefined if a conforming service may give it. */
function defectOf(exchange: Exchange, operation: Operation): string | undefined {
  const status = statusOf(exchange);
  if (isBlockedInFront(exchange) || (status === 409 && !isSafe(operation))) return undefined;
  if (expectedStatus(exchange, operation) === 200) return deviationOf(exchange, operation);
  // The checks of scopes evaluate a success at any time.
  return status === 403 || status === 200 ? undefined : describeAnswer(exchange);
}
