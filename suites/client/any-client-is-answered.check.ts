import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { cleanup, control, probe } from '../../harness/checks/step.ts';
import { isOk } from '../../harness/evidence/answer.ts';
import { isSafe } from '../../spec/operation.ts';
import { deviationOf, mayBeRefused, neverAccepted, untoldOf } from './client-answers.ts';
import { blockedInFront, violationsOf } from './client-violations.ts';
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
      if (answered === 0) return inconclusive('no call of another client was answered with 200');
      const rest = never.length === 0 ? '' : `, and in none with ${never.join(', ')}`;
      return violatedOr(blockedInFront(all), () =>
        pass(`answered with 200 in ${answered} of ${all.length} calls of different clients${rest}`),
      );
    });
  },
});
