import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, violated } from '../../harness/checks/outcomes.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import type { CallChanges } from '../../harness/requests/call-spec.ts';
import { riderRows } from '../../harness/requests/riders.ts';
import { labelOf, together, type Variation } from '../../harness/requests/variation.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import { isAccepted, tellingCalls } from '../auth/no-way-around.ts';
import { besideValidCall } from '../auth/refused-calls.ts';
import { headersElsewhere, joinedWays, waysWithoutKey } from '../auth/ways-around.ts';

export const check: ActiveCheck = activeCheck({
  stage: 'first',
  requirement: 'SCOPE-1',
  title: 'a valid key without the scope gets 403',
  applies: (operation) => operation.scope !== undefined,
  needs: () => ['scoped-key', 'unscoped-key', 'valid-call'],
  steps: {
    // A cache may keep the answer of the valid call for a moment, for any key.
    valid: control('valid call with the scoped key', { isOwn: { weight: 'medium' } }),
    // Reads at once may share one answer, or one decision.
    atOnce: witness('valid call with the scoped key, at the same time', { weight: 'medium', at: isSafe }),
    withoutScope: probe('the same call with a key without the scope', { weight: 'medium' }),
    // Apart from the call above, as a cache may tell clients by their headers.
    asAnotherClient: probe('with a key without the scope, as another client', {
      weight: 'medium',
      times: riderRows,
      expects: [403],
    }),
    disguised: probe('with a key without the scope, but with everything else that might grant it', {
      joined: 'all',
      expects: [403],
    }),
    // The answer may be refused after the work is done.
    made: witness('the session that a refused create names, with the scoped key', { followUp: true }),
    elsewhere: witness('is the unscoped key accepted where no scope is needed?', { followUp: true }),
  },
  probe: async (client, steps, operation) => {
    const credential = client.keys.unscoped;
    if (credential === undefined) return;
    await besideValidCall(client, { step: steps.valid }, async ({ values, valid }) => {
      const changes = { ...values, credential };
      const isRefused = (one: Exchange): boolean => statusOf(one) === 403;
      const ways = [...joinedWays(client, waysWithoutKey(client)), ...headersElsewhere(client, operation)];
      const disguise = (some: readonly Variation[]): CallChanges =>
        together(some, { ...changes, route: operation.path });
      const isTaken = async (some: readonly Variation[]): Promise<boolean> =>
        isAccepted(await client.call(steps.disguised, { ...disguise(some), label: labelOf(some) }), valid);
      const askElsewhere = (): Promise<Exchange> =>
        client.call(steps.elsewhere, { operation: client.withRole('identifies-key'), credential });
      const sendRefused = async (): Promise<void> => {
        const [disguised] = await client.repeat(steps.disguised, disguise(ways));
        if (disguised !== undefined && !isRefused(disguised)) {
          if (!isRefused(await client.call(steps.withoutScope, changes))) await askElsewhere();
          else if (isOk(disguised)) await client.fewest(ways, isTaken);
        }
        for (const step of [steps.withoutScope, steps.asAnotherClient]) {
          const sent = await client.repeat(step, changes);
          if (!sent.every(isRefused)) {
            await askElsewhere();
            return;
          }
          // The contract of a run need not have a session to read.
          for (const sessionId of sessionsNamedBy(sent, operation)) {
            const read = client.withRole('reads-session');
            await client.call(steps.made, { operation: read, parameters: { sessionId } });
          }
        }
      };
      await Promise.all([client.repeat(steps.atOnce, values), sendRefused()]);
    });
  },
  evaluate: ({
    operation: { scope },
    steps: { valid, withoutScope, asAnotherClient, disguised, made, elsewhere },
  }) => {
    const [refused] = withoutScope;
    const kept = made.find(isOk);
    if (kept !== undefined && refused !== undefined)
      return violated({
        statement: 'A key without the scope created a session despite the 403',
        expected: '403, and no session',
        actual: '403, and a session that one of its headers names',
        fix: 'Check the scope before doing the work, not when writing its result.',
        exchange: refused,
        steps: [refused, kept],
      });
    const plain = [...withoutScope, ...asAnotherClient];
    const probes = tellingCalls(plain, disguised, { valid, status: 403 });
    const isRefusedEverywhere = [probes, elsewhere].every(
      ([exchange]) => exchange !== undefined && statusOf(exchange) === 401,
    );
    if (isRefusedEverywhere) {
      return inconclusive(
        'no operation accepts the unscoped key',
        `keys: { unscoped: <a valid key without ${scope}> }`,
      );
    }
    return evaluateRefusals(probes, valid, {
      status: 403,
      subject: () => 'A key without the scope',
      what: (exchange) => (disguised.includes(exchange) ? exchange.label : ''),
    });
  },
});

/** Words in headers of refused creates that may name a session. */
function sessionsNamedBy(refused: readonly Exchange[], { role }: Operation): ReadonlySet<string> {
  const headers =
    role === 'creates-session' ? refused.flatMap(({ response }) => response?.headers ?? []) : [];
  const naming = headers.filter(([name]) => /location|session/i.test(name));
  return new Set(naming.flatMap(([, value]) => /[\w-]{8,}(?=\/?$)/.exec(value)?.[0] ?? []).slice(0, 2));
}
