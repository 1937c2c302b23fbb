import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, unexpected, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, probe } from '../../harness/checks/step.ts';
import { describeAnswer, isOk } from '../../harness/evidence/answer.ts';
import { jsonBody } from '../../harness/requests/call-spec.ts';
import {
  asQuery,
  idsShown,
  issuedValues,
  lettersIn,
  lettersOfNearMiss,
  lookAlike,
  nearMisses,
  returnHolding,
  returnWith,
  shownIds,
  toldOfReturn,
  wrongAlone,
} from './login-values.ts';
import { anyRefusal, isRefused } from './wrong-returns.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'LOGIN-1',
  title: 'a login return that was never issued is refused with a declared error',
  applies: ({ role }) => role === 'consumes-login',
  needs: () => ['scoped-key', 'valid-call'],
  steps: {
    issued: control('consumes a return that was issued', { isOwn: true }),
    lookAlike: probe('a return in the shape of one that was issued, and the same again', { times: 2 }),
    // A code is easily stored, and not compared.
    oneOfSeveral: probe('a return of which one value was not issued', {
      weight: 'medium',
      times: wrongAlone,
    }),
    inQuery: probe('an unissued return in the body, and an issued one in the query', { weight: 'medium' }),
    shownId: probe('an id from the answer to another return in place of its state', {
      weight: 'medium',
      times: shownIds,
      strength: 'part',
    }),
    // It may leave its condition out of a query.
    empty: probe('an empty text in place of a state', { weight: 'medium' }),
    operator: probe('an operator of a query in place of a state', { weight: 'medium' }),
    // A database that compares texts with it as numbers finds any text without digits.
    zero: probe('the number 0 in place of a state', { weight: 'medium' }),
    // A login is under way, which is the first one that a query without a condition finds.
    nothing: probe('an empty object', { weight: 'medium' }),
    sessionId: probe('the id of a checkout session in place of a state', { weight: 'medium' }),
    nearMiss: probe('a return that is nearly one that was issued', { times: Object.keys(nearMisses).length }),
  },
  probe: (client, steps) =>
    client.inTurn(async () => {
      const consumed = await client.call(steps.issued);
      const issued = await issuedValues(client, consumed);
      if (issued.length === 0) return;
      const random = client.random('unissued');
      const body = returnWith(consumed, issued, (value) => lookAlike(value, random));
      await client.repeat(steps.lookAlike, { body });
      const several = issued.length > 1 ? issued.slice(0, client.times(steps.oneOfSeveral)) : [];
      for (const [at, { name }] of several.entries()) {
        const fresh = await issuedValues(client, consumed);
        const other = (value: string): string =>
          value === fresh[at]?.fresh ? lookAlike(value, random) : value;
        const label = `a return whose ${name} was not issued`;
        await client.call(steps.oneOfSeveral, { label, body: returnWith(consumed, fresh, other) });
      }
      const query = asQuery(returnWith(consumed, issued, (value) => value));
      if (query !== undefined) await client.repeat(steps.inQuery, { body, query });
      for (const id of idsShown(consumed, issued).slice(0, client.times(steps.shownId)))
        await client.call(steps.shownId, { body: returnWith(consumed, issued, () => id) });
      await client.repeat(steps.empty, { body: returnWith(consumed, issued, () => '') });
      await client.repeat(steps.operator, { body: returnHolding(consumed, issued, { $ne: null, $gt: '' }) });
      await client.repeat(steps.zero, { body: returnHolding(consumed, issued, 0) });
      await client.repeat(steps.nothing, { body: jsonBody({}) });
      await client.each(steps.sessionId, async () => {
        const id = await client.capture('sessionId').catch(() => undefined);
        if (typeof id !== 'string') return;
        const body = returnWith(consumed, issued, () => id);
        // Waiting makes it no login.
        await client.call(steps.sessionId, { body, propagationDelayMs: 0 });
      });
      if (!issued.every(({ fresh }) => lettersIn(fresh) >= lettersOfNearMiss)) return;
      for (const [how, change] of Object.entries(nearMisses)) {
        if (issued.every(({ fresh }) => change(fresh, random) === fresh)) continue;
        const near = returnWith(consumed, issued, (value) => change(value, random));
        await client.call(steps.nearMiss, { label: `an issued return ${how}`, body: near });
      }
    }),
  evaluate: ({ operation, steps: { issued, ...wrong } }) => {
    const probes = Object.values(wrong).flat();
    if (probes.length === 0) {
      const source = operation.peers?.['initiates-login'];
      return inconclusive(
        'no value in the body of a return is known to come from the initiation of the login',
        `bodies: { ${operation.id}: { …, state: '{loginState}' } } and captures: { loginState: { from: ${source}, pointer: /<where its answer holds it> } }`,
      );
    }
    const [consumed] = issued;
    const isIssuedAccepted = consumed !== undefined && isOk(consumed);
    const violations = probes
      .filter((exchange) => !isRefused(exchange) && (isIssuedAccepted || isOk(exchange)))
      .map((exchange) =>
        unexpected(
          `A login return that was never issued was not refused: ${exchange.label}`,
          anyRefusal,
          exchange,
          toldOfReturn(exchange, wrong.oneOfSeveral.includes(exchange)),
        ),
      );
    return violatedOr(violations, () => {
      if (isIssuedAccepted)
        return pass(
          `refused with ${probes.map(describeAnswer).join(', ')}, while the issued return was consumed with 200`,
        );
      const answer = consumed === undefined ? 'nothing' : describeAnswer(consumed);
      return notTested(`refused, but the issued return was refused as well, with ${answer}`);
    });
  },
});
