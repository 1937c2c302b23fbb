import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { recoveriesFrom, recoveryStep } from '../../harness/checks/recovery.ts';
import { isConflict, steadyControl } from '../../harness/checks/steady-control.ts';
import { control, namedSteps, probe, reduction } from '../../harness/checks/step.ts';
import { describeAnswer, statusOf } from '../../harness/evidence/answer.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { countByProfile } from '../../harness/sampling/step-plan.ts';
import { mayAnswerAnyBody } from './body-answers.ts';
import { bodyViolation } from './body-violation.ts';
import { FreshBodies } from './fresh-bodies.ts';
import { AnyBodyProbe } from './probe-any-body.ts';
import { combinedForms, unusualForms } from './unusual-forms.ts';

/** Findings that one case reports at most. */
const mostFindings = 5;
/** Random bodies, repeated and smaller ones share a label and a row: a finding is the same whichever was found first. */
const otherLabel = 'another body';

/** The forms of what bodies are like, for their number. */
const typicalBody = { store: 'text', url: 'https://shop.example', items: [{ count: 1 }] };
const singleForms = unusualForms(typicalBody);

const steps = namedSteps({
  valid: control('valid call'),
  form: probe('an unusual form of the valid body', {
    times: countByProfile([...combinedForms(typicalBody, singleForms), ...singleForms]),
  }),
  random: probe(otherLabel, { times: (_operation, fuzzRuns) => 2 * fuzzRuns }),
  repeated: probe(otherLabel, { followUp: true }),
  smaller: reduction(otherLabel),
  recovery: recoveryStep(),
});

const check: ActiveCheck = activeCheck({
  last: true,
  requirement: 'STATUS-1',
  title: 'a call with good credentials gets 200, 400, 404 or 409, whatever its body',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  steps,
  probe: async (client, operation) => {
    const { exchange: valid, missing } = await steadyControl(client, operation, steps.valid);
    if (missing !== undefined || valid === undefined) throw missing;
    const bodies = await FreshBodies.after(client, operation, valid);
    await new AnyBodyProbe(client, operation, steps, { bodies, valid }).run();
  },
  evaluate: ({
    operation,
    omittedCount = 0,
    steps: { valid, form, random, repeated, smaller, recovery },
  }) => {
    const control = valid.at(-1);
    const isControlAccepted = control !== undefined && statusOf(control) === 200;
    const sent = [...form, ...random, ...repeated, ...smaller];
    if (sent.length === 0) return inconclusive('no call with another body was sent');
    const wrong = lastOfEach(sent).filter((exchange) => !mayAnswerAnyBody(operation, exchange, control));
    const violations = byAnswer(wrong)
      .filter(([first]) => {
        const status = statusOf(first);
        if (status !== undefined && !operation.statuses.includes(status)) return true;
        const recoveries = recoveriesFrom(describeAnswer(first), recovery);
        return isControlAccepted && recoveries.some((exchange) => statusOf(exchange) === 200);
      })
      .slice(0, mostFindings)
      .map((exchanges) => bodyViolation(exchanges, smaller));
    return violatedOr(violations, () => {
      if (control === undefined) return inconclusive('no valid call could be sent');
      if (!isControlAccepted) {
        const reason = `the valid call was answered ${describeAnswer(control)}`;
        return { outcome: 'inconclusive', reason, transient: isConflict(control) };
      }
      const [first] = wrong;
      if (first === undefined)
        return pass(`answered 200, 400, 404 or 409 for ${sent.length + omittedCount} other bodies`);
      return {
        outcome: 'inconclusive',
        reason: `after a body was answered ${describeAnswer(first)}, so was the valid call`,
        remedy: 'let the address of the harness through whatever guards the target',
        transient: true,
      };
    });
  },
});

export default check;

/** Of a body that was sent twice because the target was unavailable, the second exchange. */
function lastOfEach(sent: readonly Exchange[]): readonly Exchange[] {
  return [
    ...new Map(sent.map((one) => [`${one.row?.['body']} ${one.request.body?.text}`, one] as const)).values(),
  ];
}

/** Exchanges with the same response together. */
function byAnswer(exchanges: readonly Exchange[]): ReadonlyArray<readonly [Exchange, ...Exchange[]]> {
  const groups = new Map<string, [Exchange, ...Exchange[]]>();
  for (const exchange of exchanges) {
    const answer = describeAnswer(exchange);
    const group = groups.get(answer);
    if (group === undefined) groups.set(answer, [exchange]);
    else group.push(exchange);
  }
  return [...groups.values()];
}
