import type { CaseClient } from '../../harness/calls/case-client.ts';
import { activeCheck, type StepCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck, Evidence } from '../../harness/checks/check.ts';
import { inconclusive } from '../../harness/checks/outcomes.ts';
import type { Steps } from '../../harness/checks/step.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Evaluation } from '../../harness/model/evaluation.ts';
import type { Operation, OperationRole } from '../../spec/operation.ts';
import { SessionClient } from './session-client.ts';
import { hasStatus, SessionEvidence } from './session-evidence.ts';

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

/** Why nothing can be said where a session could not be created, read and, if asked, cancelled in these steps. */
export function notReached(
  session: SessionEvidence,
  readStep: string,
  cancelStep?: string,
): Evaluation | undefined {
  const read = session.last(readStep);
  if (read === undefined) return inconclusive('no session was created');
  if (!hasStatus(read, 200)) return inconclusive('the session cannot be read, which SESSION-1 evaluates');
  if (cancelStep === undefined || session.answered(cancelStep, 200)) return undefined;
  const cancel = session.last(cancelStep);
  const answer = cancel === undefined ? 'not sent' : `answered ${describeAnswer(cancel)}`;
  return inconclusive(`the cancel was ${answer}, which SESSION-2 evaluates`);
}
