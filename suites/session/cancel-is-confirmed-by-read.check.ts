import { activeCheck } from '../../harness/checks/active-check.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { inconclusive, pass, violatedOr } from '../../harness/checks/outcomes.ts';
import { control, namedSteps, probe, witness } from '../../harness/checks/step.ts';
import { describeAnswer } from '../../harness/evidence/answer.ts';
import type { Violation } from '../../harness/model/evaluation.ts';
import type { Exchange } from '../../harness/model/exchange.ts';
import { contradictions, reportsChange } from './confirmed-cancel.ts';
import { withSessions } from './session-client.ts';
import { SessionEvidence } from './session-evidence.ts';
import { fieldsOf, hasStatus, sessionIdOf } from './session-exchange.ts';
import { isCancelOperation } from './session-operations.ts';
import { volatilityReads } from './untouched-session.ts';

/** The maximum number of fields that a finding names. */
const namedFields = 3;

const steps = namedSteps({
  readBefore: witness('reads the open session'),
  readBeforeAgain: witness('reads the open session again'),
  cancel: control('cancels the session'),
  readAfter: probe('reads the cancelled session'),
  readAfterAgain: probe('reads the cancelled session again', { most: volatilityReads, reserved: 1 }),
});

const check: ActiveCheck = activeCheck({
  requirement: 'SESSION-3',
  title: 'Reads after a cancel show what the cancel reported',
  applies: isCancelOperation,
  needs: () => ['scoped-key', 'valid-call'],
  steps,
  probe: (client) =>
    withSessions(client, async (sessions) => {
      const id = await sessions.create();
      const before = await sessions.read(id, steps.readBefore);
      if (!hasStatus(before, 200)) return;
      await sessions.read(id, steps.readBeforeAgain);
      const cancel = await sessions.cancel(id, steps.cancel);
      if (!hasStatus(cancel, 200)) return;
      const isContradicted = (): boolean => contradictions(sessions.evidence).length > 0;
      const after = await sessions.read(
        id,
        steps.readAfter,
        (read) => hasStatus(read, 200) && isContradicted(),
      );
      if (!hasStatus(after, 200)) return;
      // Fields that change at random show no contradiction.
      const reads = isContradicted() ? volatilityReads : 1;
      for (let read = 1; read <= reads; read += 1) await sessions.readOnce(id, steps.readAfterAgain);
    }),
  evaluate: (evidence) => {
    const session = new SessionEvidence<keyof typeof steps>(evidence);
    const cancel = session.last('cancel');
    const after = session.last('readAfter');
    if (cancel === undefined)
      return session.last('readBefore') === undefined
        ? inconclusive('no session was created')
        : inconclusive('the session cannot be read, which SESSION-1 evaluates');
    if (!hasStatus(cancel, 200))
      return inconclusive(`the cancel was answered ${describeAnswer(cancel)}, which SESSION-2 evaluates`);
    if (after === undefined) return inconclusive('the session was not read after its cancel');
    if (hasStatus(after, 404)) return pass('the cancelled session is gone, answered 404');
    if (!hasStatus(after, 200)) {
      const answer = describeAnswer(after);
      return inconclusive(
        `a read of the cancelled session was answered ${answer}, which SESSION-2 evaluates`,
      );
    }
    const reads = (['readBefore', 'readBeforeAgain', 'readAfter', 'readAfterAgain'] as const).map((step) =>
      session.last(step),
    );
    if (reads.some((read) => session.otherIdShownBy(read) !== undefined))
      return inconclusive('the reads do not show the session id, so they may be about another session');
    if ([cancel, after].some((exchange) => fieldsOf(exchange) === undefined))
      return inconclusive('not every response about the session is JSON');
    const pointers = contradictions(session);
    return violatedOr(pointers.length > 0 ? [contradicted(cancel, pointers)] : [], () =>
      reportsChange(session)
        ? pass('the read shows what the cancel reported')
        : inconclusive('the cancel reported no change of a field that reads show too'),
    );
  },
});

export default check;

function contradicted(cancel: Exchange, pointers: readonly string[]): Violation {
  const fields = pointers
    .map((pointer) => pointer.replaceAll(sessionIdOf(cancel) ?? '', '{sessionId}'))
    .sort()
    .slice(0, namedFields)
    .join(', ');
  return {
    statement: 'A read contradicts what the cancel reported',
    expected: `the same at ${fields} in the response to the cancel and in a later read`,
    actual: `200, and a later read that differs at ${fields}`,
    exchange: cancel,
  };
}
