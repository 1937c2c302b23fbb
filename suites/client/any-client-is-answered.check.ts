import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { cleanup, control, probe } from '../../harness/checks/step.ts';
import { hasStatus, isOk } from '../../harness/evidence/answer.ts';
import { groupsOf } from '../../harness/group-by.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { isSafe, type Operation } from '../../spec/operation.ts';
import {
  allowedBy,
  byLength,
  deviationOf,
  factorsIn,
  isOnlyWhole,
  mayBeRefused,
  neverAccepted,
  plainerThan,
  untoldOf,
  valuesOf,
} from './client-answers.ts';
import { plannedRows, probeClients } from './probe-clients.ts';

export const check: ActiveCheck = activeCheck({
  stage: 'last',
  requirement: 'CLIENT-1',
  title: 'a valid call is answered with 200 whatever client sends it',
  applies: () => true,
  alone: (operation) => !isSafe(operation),
  steps: {
    client: probe('valid call of another client', plannedRows),
    valid: control('valid call', { followUp: true }),
    // A call that changes state may carry a value that a service need not accept; the other changes then follow without it.
    isolated: probe('valid call of another client with fewer changes', {
      weight: 'medium',
      at: (operation) => !isSafe(operation),
    }),
    cleanup: cleanup('cancels the session', { at: ({ role }) => role === 'creates-session', ...plannedRows }),
  },
  probe: (client, steps) => probeClients(client, steps),
  evaluate: ({ operation, steps: { client, valid, isolated } }) => {
    const deviating = client.filter((one) => deviationOf(one, operation) !== undefined);
    const all = [...client, ...isolated];
    const answered = all.filter((one) => deviationOf(one, operation) === undefined).length;
    const broken = valid.find((one) => !isOk(one));
    const violations = broken === undefined ? violationsOf(all, operation, valid) : [];
    return violatedOr(violations, () => {
      const [first] = deviating.filter((one) => !mayBeRefused(one, operation, [...all, ...valid]));
      if (first !== undefined) {
        const [got, usual] = [first, broken].map((one) => one && deviationOf(one, operation));
        const beside =
          usual === undefined
            ? ', but only once'
            : got === usual
              ? ', as was the valid call'
              : `, but the valid call got ${usual}`;
        return notTested(`a call of another client was answered ${got}${beside}`);
      }
      const untold = untoldOf(all);
      if (untold.length > 0)
        return notTested(
          `no call with ${untold.slice(0, 4).join(', ')} was answered with 200, perhaps because of something else in it`,
        );
      const never = neverAccepted(all);
      return answered > 0
        ? pass(
            `answered with 200 in ${answered} of ${all.length} calls of different clients${never.length === 0 ? '' : `, and in none with ${never.join(', ')}`}`,
          )
        : inconclusive('no call of another client was answered with 200');
    });
  },
});

/** One violation for each response that certain changes got most times, and more than once. */
function violationsOf(
  sent: readonly Exchange[],
  operation: Operation,
  valid: readonly Exchange[],
): readonly Violation[] {
  const causes = groupsOf(sent, ({ row }) => row).flatMap((calls) => {
    const [{ row }] = calls;
    const plainer = plainerThan(valuesOf(row)).map(({ factor, id }) => JSON.stringify({ [factor]: [id] }));
    const isPlainerAccepted = sent.some((one) => plainer.includes(JSON.stringify(one.row)) && isOk(one));
    const isExcused = (one: Exchange): boolean =>
      mayBeRefused(one, operation, [...sent, ...valid]) &&
      !(isPlainerAccepted && hasStatus(one, ...allowedBy(row)));
    const failed = calls.filter((one) => deviationOf(one, operation) !== undefined && !isExcused(one));
    return failed.length < 2 || failed.length <= calls.length / 2 ? [] : failed.slice(0, 1);
  });
  const unknown = sent.filter((one) => isOnlyWhole(one) && mayBeRefused(one, operation, [...sent, ...valid]));
  return [
    // Violations without a common value have different causes.
    ...groupsOf(causes.toSorted(byLength), (one) => [deviationOf(one, operation), factorsIn(one)]),
    ...(unknown.length > 0 ? [unknown.slice(0, 1)] : []),
  ].map((alike) => {
    const isOfQuery = alike.every((one) => String(factorsIn(one)) === 'query');
    const [exchange, ...relatedExchanges] = alike;
    const labels = alike.slice(0, 4).map(({ label }) => label);
    const actual = deviationOf(exchange, operation) ?? '';
    return {
      statement: isOfQuery
        ? `A valid call failed with another query: ${labels.join('; ').replaceAll(/(?<=^|; )query /g, '')}`
        : `A valid call failed for other clients: ${labels.join('; ')}`,
      expected: '200',
      actual,
      kind: [actual, ...factorsIn(exchange)].join(' '),
      ...(unknown.includes(exchange) ? { clause: 'whole-address' } : {}),
      exchange,
      relatedExchanges,
    };
  });
}
