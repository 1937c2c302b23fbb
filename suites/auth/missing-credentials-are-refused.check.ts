import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { evaluateRefusals } from '../../harness/checks/refusal.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { defined } from '../../harness/defined.ts';
import { isOk, statusOf } from '../../harness/evidence/answer.ts';
import { riderRows } from '../../harness/requests/riders.ts';
import { together, type Variation } from '../../harness/requests/variation.ts';
import { isSafe } from '../../spec/operation.ts';
import { asBrowser, tellingCalls } from './no-way-around.ts';
import { besideValidCall, ownQuery } from './refused-calls.ts';
import {
  headersElsewhere,
  isPrivate,
  joinedWays,
  misplacedKeys,
  toldOfMisplaced,
  toldOfWays,
  waysWithoutKey,
} from './ways-around.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'AUTH-2',
  title: 'a call without credentials gets 401, even on a connection that was authenticated before',
  applies: (operation) => operation.auth === 'api-key',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    valid: control('valid call with the key', { isOwn: { weight: 'medium' } }),
    onSameConnection: probe('without credentials, on the connection of the valid call', { weight: 'medium' }),
    // Separate from the call above, because a cache may distinguish clients by their headers.
    asAnotherClient: probe('without credentials, as another client', {
      weight: 'medium',
      times: riderRows,
      expects: [401],
    }),
    // A quick run looks for a key in all wrong places with the same request.
    misplaced: probe('without credentials in the header, but with a good key in all other places', {
      joined: 'all',
    }),
    // Shows whether an accepted call was accepted because of its connection.
    onFreshConnection: probe('without credentials, on a fresh connection', { followUp: true }),
    // Shows whether a call was accepted because a cache knew its URL.
    underOwnUrl: witness('without credentials, with a query of its own', { followUp: true }),
  },
  probe: async (client, steps, operation) => {
    const connection = defined({ connection: client.connectionFor(steps.onSameConnection) });
    const control = { step: steps.valid, ...connection };
    await besideValidCall(client, control, async ({ values, valid }) => {
      const credential = client.keys.none;
      if (isPrivate(client.baseUrl)) {
        const ways = joinedWays(client, [...misplacedKeys(client, valid), ...waysWithoutKey(client)]);
        const elsewhere = headersElsewhere(client, operation);
        const send = async (some: readonly Variation[]): Promise<number | undefined> => {
          const changes = asBrowser(together(some, { ...values, credential }));
          const [misplaced] = await client.repeat(steps.misplaced, changes);
          return misplaced && statusOf(misplaced);
        };
        // One refusal shows both that a missing key and that a misplaced one is not accepted.
        const answer = await send([...ways, ...elsewhere]);
        if (answer === 401) return;
        // A way that may lead elsewhere says nothing about the others, so these go out again without it.
        if (answer !== 400 && (await send(ways)) === 401) {
          await send(elsewhere);
          return;
        }
      }
      const anonymous = { credential, placeholders: true };
      const exchange = await client.call(steps.onSameConnection, { ...anonymous, ...connection });
      if (statusOf(exchange) === 401) {
        await client.repeat(steps.asAnotherClient, { ...values, ...anonymous });
        return;
      }
      // Twice, because state that requests share may decide by chance.
      for (const at of [1, 2]) {
        await client.call(steps.onFreshConnection, { ...anonymous, connection: 'fresh' });
        if (!isOk(exchange) || !isSafe(operation)) return;
        const query = `${ownQuery(client)}${at}`;
        await client.call(steps.underOwnUrl, { ...anonymous, query });
      }
    });
  },
  evaluate: ({ steps: { valid, misplaced, onSameConnection, onFreshConnection, asAnotherClient } }) => {
    // If both are accepted, the one on a fresh connection is easier to reproduce.
    const plain = [...onFreshConnection, ...onSameConnection, ...asAnotherClient];
    return evaluateRefusals(tellingCalls(plain, misplaced, { valid, status: 401 }), valid, {
      status: 401,
      company: ({ request }) =>
        request.connection === 'reused' ? 'on a connection that carried a call with a good key' : undefined,
      subject: (exchange) =>
        toldOfMisplaced(exchange) !== undefined
          ? 'A call with a good key outside the Authorization header'
          : 'A call without credentials',
      told: toldOfWays,
    });
  },
});
