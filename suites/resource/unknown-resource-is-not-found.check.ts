import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe } from '../../spec/operation.ts';
import { mayBeListed } from '../surface/listed-resources.ts';
import { elsewhereViolation } from './elsewhere.ts';
import { listingsAsked, mostStores } from './listed-elsewhere.ts';
import { mostNearMisses } from './near-misses.ts';
import { wrongAnswersFor } from './unknown-resource-violations.ts';
import { mostIssuedElsewhere, showingIds, wrongValues } from './wrong-values.ts';

const expects = [400, 404];

export const check: ActiveCheck = activeCheck({
  requirement: 'RESOURCE-1',
  title: 'an unknown resource gets 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  steps: {
    valid: control('valid call with known values'),
    unknown: probe('unknown value', { weight: 'medium', times: 4, perParameter: true, expects }),
    nearMiss: probe('a value near to the known one', {
      times: mostNearMisses,
      strength: 'one',
      perParameter: true,
      expects,
    }),
    divided: probe('two known values, divided elsewhere', {
      weight: 'medium',
      at: ({ pathParameters }) => pathParameters.length > 1,
      expects,
    }),
    otherKind: probe('a known value of another kind of resource', {
      weight: 'medium',
      at: ({ parameterKinds, takesIssued }) => (parameterKinds ?? takesIssued) !== undefined,
      times: ({ pathParameters: { length }, takesIssued }) =>
        takesIssued === undefined ? 1 + length + (length > 1 ? 1 + mostStores : 0) : mostIssuedElsewhere,
      expects,
    }),
    // What is made on the way can be read from then on.
    ended: witness('ends what there is not', {
      weight: 'medium',
      at: (operation) => isSafe(operation) && operation.takesIssued !== undefined,
    }),
    listing: witness('lists what there is', { weight: 'medium', at: mayBeListed, times: listingsAsked }),
    identity: witness('asks for ids of other kinds', {
      weight: 'medium',
      times: showingIds.length,
      at: ({ takesIssued }) => takesIssued !== undefined,
    }),
  },
  probe: async (client, steps, operation) => {
    // Of a session, only the calls of this case are compared with one another.
    const isOwn = operation.pathParameters.includes('sessionId');
    const valid = await client.call(steps.valid, { isOwn });
    const values = sentValues(valid);
    for (const name of operation.pathParameters) {
      let isSettled = false;
      for (const value of client.chosen(await wrongValues(client, name, valid, steps))) {
        if (value.standsIn === true && isSettled) continue;
        const parameters = { ...values, [name]: value.value };
        // Only a contract with sessions has an operation that ends one.
        if (value.isAgain === true)
          await client.each(steps.ended, () =>
            client.call(steps.ended, { operation: client.withRole('ends-session'), parameters }),
          );
        const send = (): Promise<Exchange> =>
          client.call(steps[value.step], {
            label: value.label,
            parameters,
            ...value.changes,
            row: { [name]: value.id, ...value.changes?.row },
          });
        // A target may refuse two changes of one thing at once.
        const isAtOnce = value.isTwice === true && isSafe(operation);
        const exchanges = await Promise.all(isAtOnce ? [send(), send()] : [send()]);
        isSettled ||= exchanges.some((one) => statusOf(one) === 404);
      }
    }
  },
  evaluate: ({ operation, steps: { valid, unknown, nearMiss, divided, otherKind } }) => {
    const [known] = valid;
    if (known === undefined || unknown.length + nearMiss.length === 0)
      return inconclusive('no call with an unknown value was sent');
    if (!isOk(known))
      return inconclusive(`the call with known values was answered ${describeAnswer(known)} as well`);
    const found = operation.pathParameters.map((name) => {
      const isOf = ({ row = {} }: Exchange): boolean => name in row;
      const near = [...nearMiss, ...divided].filter(isOf);
      const apart = near.filter(({ row }) => row?.['places'] === undefined);
      const elsewhere = apart.some((one) => !isOk(one))
        ? near.filter((one) => isOk(one) && !apart.includes(one))
        : [];
      if (elsewhere.length > 0) return elsewhere.map((one) => elsewhereViolation(name, one, '404'));
      return wrongAnswersFor(name, operation, {
        known,
        unknown: unknown.filter(isOf),
        near: apart.length > 0 ? apart : near,
        others: otherKind.filter(isOf),
      });
    });
    return violatedOr(
      found.flatMap((violations) => violations ?? []),
      () =>
        found.includes(undefined)
          ? inconclusive('every unknown id was answered 400, which is allowed for a malformed id')
          : pass(`answered 404 in ${unknown.length + nearMiss.length} calls for resources that do not exist`),
    );
  },
});
