import type { CaseClient } from '../../harness/calls/case-client.ts';
import { activeCheck, type StepCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import type { Steps } from '../../harness/checks/step.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { SessionClient } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';

/** An active check that plays stories about sessions. */
interface SessionCheck<S extends Steps> extends Omit<StepCheck<S>, 'needs' | 'probe' | 'evaluate'> {
  readonly needs?: StepCheck<S>['needs'];
  readonly probe: (sessions: SessionClient, client: CaseClient, operation: Operation) => Promise<unknown>;
  readonly evaluate: (session: SessionEvidence, evidence: Evidence) => Evaluation;
}

/** Tells operations with one of these roles. */
export function hasRole(...roles: readonly OperationRole[]): (operation: Operation) => boolean {
  return ({ role }) => role !== undefined && roles.includes(role);
}

/** Builds a check whose probe uses sessions while no other probe of the run does; those left open are cancelled. */
export function sessionCheck<S extends Steps>(check: SessionCheck<S>): ActiveCheck {
  return activeCheck({
    needs: () => ['scoped-key', 'valid-call'],
    ...check,
    probe: (client, operation) =>
      client.inTurn(async () => {
        const sessions = new SessionClient(client);
        try {
          await check.probe(sessions, client, operation);
        } finally {
          await sessions.cancelOpen();
        }
      }),
    evaluate: (evidence) => check.evaluate(new SessionEvidence(evidence, check.steps), evidence),
  });
}

/** Why nothing can be said where one of these reads and cancels, in their order, was not answered 200. */
export function notReached(session: SessionEvidence, ...steps: readonly string[]): Evaluation | undefined {
  const step = steps.find((one) => !session.answered(one, 200));
  const exchange = step === undefined ? undefined : session.last(step);
  if (step === undefined) return undefined;
  if (exchange === undefined) return inconclusive('no session was created, or its calls could not be sent');
  const [call, requirement] = session.is('ends-session', exchange)
    ? ['cancel', 'SESSION-2']
    : ['read', 'SESSION-1'];
  return inconclusive(`the ${call} was answered ${describeAnswer(exchange)}, which ${requirement} evaluates`);
}
