import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, notTested, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { probe } from '../../harness/checks/step.ts';
import { wrongAnswers } from '../../harness/checks/wrong-answers.ts';
import { describeAnswer, isOk, statusOf } from '../../harness/evidence/answer.ts';
import { labelOf, together } from '../../harness/requests/variation.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import { isSafe } from '../../spec/operation.ts';
import { pairsOfDefects } from './several-defects.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'ERROR-3',
  title: 'a call with two defects gets one of the declared errors',
  applies: (operation) => pairsOfDefects(operation).length > 0,
  needs: () => [],
  steps: {
    defective: probe('a call with two defects', {
      times: countByProfile((one) => pairsOfDefects(one)),
      expects: [400, 401, 403, 404],
    }),
  },
  probe: async (client, steps, operation) => {
    const values: Record<string, string> = {};
    for (const name of operation.pathParameters) {
      // A key or body is refused whether or not the session exists, so that none need be created.
      if (isSafe(operation) && name !== 'sessionId') values[name] = (await client.knownValue(name)).value;
      else values[name] = '4c9d2a51-0b7e-4f66-9a3d-2f5b8c1e7d90';
    }
    const sources = { keys: client.keys, random: client.random('unknown') };
    for (const { first, second } of client.chosen(pairsOfDefects(operation, sources))) {
      const pair = [first, second];
      if (pair.some(({ class: name, factor }) => name !== undefined && client.excludes(name, factor)))
        continue;
      const call = { label: labelOf(pair), parameters: values, placeholders: true };
      const changes = together(pair, call);
      if (client.wants(steps.defective, changes)) await client.call(steps.defective, changes);
    }
  },
  evaluate: ({ operation, steps: { defective } }) => {
    const [first] = defective;
    if (first === undefined) return inconclusive('no call with two defects was sent');
    const wrong = defective.filter((exchange) => {
      const status = statusOf(exchange);
      return status !== undefined && (status < 400 || !operation.statuses.includes(status));
    });
    const violations = wrongAnswers(wrong, {
      expected: 'a declared error',
      statement: (one) =>
        `A call with two defects ${isOk(one) ? 'was accepted' : 'was not refused with a declared error'}`,
    });
    return violatedOr(violations, () => {
      const unanswered = defective.find((exchange) => statusOf(exchange) === undefined);
      return unanswered === undefined
        ? pass(`refused with a declared error in ${defective.length} of ${defective.length} calls`)
        : notTested(`a call was answered ${describeAnswer(unanswered)}`);
    });
  },
});
