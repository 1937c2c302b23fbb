import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { recoveryStep } from '../../harness/checks/recovery.ts';
import { isConflict, repeatableControl } from '../../harness/checks/steady-control.ts';
import { namedSteps, probe, type RequestCount, reduction } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import { showSegment } from '../../harness/fuzzing/path-segment.ts';
import { includes, type Profile } from '../../harness/profile.ts';
import { pathValues, valueGroups } from './path-values.ts';
import { mostReductions, probePathValues } from './probe-path-values.ts';
import { isCausedByValue, isWrong, pathValueViolations, sentPathValues } from './sent-path-values.ts';

/** Kinds of wrong responses to one operation: enough for every status that servers use. */
const mostKinds = 40;

const steps = namedSteps({
  valid: repeatableControl('valid call with known values'),
  value: probe('a value of the corpus', {
    most: perParameter(pathValues.length + valueGroups.length + 1),
    reserved: ({ pathParameters }, _fuzzRuns, profile) => reservedValues(profile) * pathParameters.length,
  }),
  random: probe('random value', {
    most: ({ pathParameters }, fuzzRuns) => fuzzRuns * pathParameters.length,
    isRandom: true,
  }),
  repeated: probe('a value sent again', { most: mostKinds, reserved: 0 }),
  smaller: reduction('smaller value', perParameter(mostReductions)),
  recovery: recoveryStep(mostKinds),
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
    const { valid, value, random, repeated, smaller, recovery } = steps;
    const control = valid.at(-1);
    const isControlAccepted = control !== undefined && statusOf(control) === 200;
    const probes = sentPathValues(operation, [...value, ...random, ...repeated], control);
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

/** Groups are expected to need one request each. */
function reservedValues(profile: Profile): number {
  const single = pathValues.filter(
    ({ group, least = 'standard' }) => group === undefined && includes(profile, least),
  );
  return single.length + (profile === 'quick' ? 1 : valueGroups.length);
}

function perParameter(count: number): RequestCount {
  return ({ pathParameters }) => count * pathParameters.length;
}
