import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { recoveryStep } from '../../harness/checks/recovery.ts';
import { isConflict } from '../../harness/checks/steady-control.ts';
import { control, namedSteps, probe, reduction } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { showSegment } from '../../harness/fuzzing/path-segment.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import type { Operation } from '../../spec/operation.ts';
import { allKinds, pathValues, valueGroups } from './path-values.ts';
import { probePathValues } from './probe-path-values.ts';
import { isCausedByValue, isWrong, pathValueViolations, sentPathValues } from './sent-path-values.ts';

const perParameter =
  (count: number) =>
  ({ pathParameters }: Operation): number =>
    count * pathParameters.length;
const single = countByProfile(pathValues.filter(({ group }) => group === undefined));
const groups = valueGroups.length;
const answered = [200, 400, 404];

const steps = namedSteps({
  valid: control('valid call with known values'),
  // A group needs one request where its values are simply not found.
  joined: probe(allKinds, { until: 'quick', times: perParameter(1) }),
  value: probe('a value of the corpus', {
    expects: answered,
    times: {
      quick: perParameter(single.quick),
      standard: perParameter(single.standard + groups),
      deep: perParameter(pathValues.length + groups),
    },
  }),
  random: probe('random value', {
    expects: answered,
    times: ({ pathParameters }, fuzzRuns) => fuzzRuns * pathParameters.length,
  }),
  repeated: probe('a value sent again', { followUp: true }),
  smaller: reduction('smaller value'),
  recovery: recoveryStep(),
});

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'RESOURCE-2',
  title: 'any string in a path parameter gets 200, 400 or 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  needs: () => ['valid-call'],
  steps,
  probe: (client, operation) => probePathValues(client, operation, steps),
  evaluate: ({ operation, omittedCount = 0, steps }) => {
    const { valid, joined, value, random, repeated, smaller, recovery } = steps;
    const control = valid.at(-1);
    const isControlAccepted = control !== undefined && statusOf(control) === 200;
    const probes = sentPathValues(operation, [...joined, ...value, ...random, ...repeated], control);
    if (probes.length === 0) return inconclusive('no call with a chosen value was sent');
    const wrong = [...probes, ...sentPathValues(operation, smaller, control)].filter((one) =>
      isWrong(operation, one),
    );
    const certain = wrong.filter((one) =>
      isControlAccepted
        ? isCausedByValue(one, wrong, recovery)
        : !operation.statuses.includes(statusOf(one.exchange) ?? 200),
    );
    return violatedOr(pathValueViolations(certain), () => {
      if (control === undefined) return inconclusive('no call with known values could be sent');
      if (!isControlAccepted) {
        const reason = `the call with known values was answered ${describeAnswer(control)}`;
        const transient = operation.pathParameters.includes('sessionId') && isConflict(control);
        return { outcome: 'inconclusive', reason, transient };
      }
      const [first] = wrong;
      const count = probes.length + omittedCount;
      if (first === undefined)
        return pass(`answered 200, 400 or 404 for ${count} values that are not plain identifiers`);
      return {
        outcome: 'inconclusive',
        reason: `after the value ${showSegment(first.raw)} was answered ${describeAnswer(first.exchange)}, so was the valid call`,
        remedy: 'let the address of the harness through whatever guards the target',
        transient: true,
      };
    });
  },
});

export default check;
