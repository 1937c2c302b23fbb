import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer, hasStatus, statusOf } from '../../harness/evidence/answer.ts';
import { sentValues } from '../../harness/evidence/sent-values.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { mostNearMisses } from './near-misses.ts';
import { showsAnother, showsKnown } from './shows-known.ts';
import {
  isRefusedOtherwise,
  isWellFormed,
  nearMissViolations,
  otherKindViolations,
  unknownValueViolation,
} from './unknown-resource-violations.ts';
import { mostIssuedElsewhere, wrongValues } from './wrong-values.ts';

const steps = namedSteps({
  valid: control('valid call with known values'),
  unknown: probe('unknown value', { weight: 'medium', times: 2, perParameter: true }),
  nearMiss: probe('a value near to the known one', {
    times: mostNearMisses,
    strength: 'one',
    perParameter: true,
    expects: [400, 404],
  }),
  divided: probe('two known values, divided elsewhere', {
    weight: 'medium',
    at: ({ pathParameters }) => pathParameters.length > 1,
    expects: [400, 404],
  }),
  otherKind: probe('a known value of another kind of resource', {
    weight: 'medium',
    at: ({ parameterKinds, takesIssued }) => (parameterKinds ?? takesIssued) !== undefined,
    times: ({ pathParameters: { length }, takesIssued }) =>
      takesIssued === undefined ? length + (length > 1 ? 1 : 0) : mostIssuedElsewhere,
    expects: [400, 404],
  }),
  identity: witness('asks for the id of the key', {
    weight: 'medium',
    at: ({ takesIssued }) => takesIssued !== undefined,
  }),
});

export const check: ActiveCheck = activeCheck({
  requirement: 'RESOURCE-1',
  title: 'an unknown resource gets 404',
  applies: ({ pathParameters }) => pathParameters.length > 0,
  steps,
  probe: async (client, operation) => {
    // Of a session, only the calls of this case are compared with one another.
    const isOwn = operation.pathParameters.includes('sessionId');
    const values = sentValues(await client.call(steps.valid, { isOwn }));
    for (const name of operation.pathParameters) {
      let isSettled = false;
      for (const value of client.chosen(
        await wrongValues(client, operation, name, { values, identity: steps.identity }),
      )) {
        if (value.standsIn === true && isSettled) continue;
        const exchange = await client.call(steps[value.step], {
          label: value.label,
          parameters: { ...values, [name]: value.value },
          ...value.changes,
          row: { [name]: value.id, ...value.changes?.row },
        });
        isSettled ||= statusOf(exchange) === 404;
      }
    }
  },
  evaluate: ({ operation, steps: { valid, unknown, nearMiss, divided, otherKind } }) => {
    const [known] = valid;
    if (known === undefined || unknown.length + nearMiss.length === 0)
      return inconclusive('no call with an unknown value was sent');
    if (statusOf(known) !== 200)
      return inconclusive(`the call with known values was answered ${describeAnswer(known)} as well`);
    const violations: Violation[] = [];
    let untested = 0;
    for (const name of operation.pathParameters) {
      const mine = unknown.filter((exchange) => isOf(name, exchange));
      const [first] = mine;
      const near = [...nearMiss, ...divided].filter((one) => isOf(name, one));
      if (first === undefined && near.some((one) => statusOf(one) === 404)) continue;
      const found = near.filter(
        (one) => first !== undefined && showsKnown(name, { known, wrong: one, unrelated: first }),
      );
      const isRefused = first !== undefined && statusOf(first) !== 200;
      // Nothing else that was issued is a session, whatever the answer shows.
      const isFound = (one: Exchange): boolean =>
        operation.takesIssued !== undefined && isRefused && statusOf(one) === 200;
      const ofOthers = otherKind.filter(
        (one) => isOf(name, one) && (showsAnother(name, known, one) || isFound(one)),
      );
      const wrong =
        mine.find((exchange) => !hasStatus(exchange, 400, 404)) ??
        [...near, ...otherKind].find(
          (one) => isOf(name, one) && isRefusedOtherwise(name, one, [...near, ...otherKind]),
        );
      const ofUnknown = wrong && unknownValueViolation(operation, name, { known, exchange: wrong });
      // A parameter that is not looked at is answered whatever its value is like.
      if (ofUnknown?.fix === undefined)
        violations.push(...nearMissViolations(name, known, found), ...otherKindViolations(name, ofOthers));
      if (ofUnknown !== undefined) violations.push(ofUnknown);
      else if (mine.some((exchange) => statusOf(exchange) === 404)) continue;
      // A malformed id may get 400; it is wrong only where every id of this shape is well-formed.
      else if (first !== undefined && isWellFormed(known, first, name))
        violations.push(unknownValueViolation(operation, name, { known, exchange: first }));
      else untested += 1;
    }
    return violatedOr(violations, () =>
      untested > 0
        ? inconclusive('every unknown id was answered 400, which is allowed where it is malformed')
        : pass(`404 for what does not exist, in ${unknown.length + nearMiss.length} calls`),
    );
  },
});

/** Whether a call has a wrong value of this parameter. */
function isOf(name: string, { row = {} }: Exchange): boolean {
  return name in row;
}
