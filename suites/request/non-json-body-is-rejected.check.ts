import { type ActiveCheck, activeCheck } from '../../harness/checks/check.ts';
import { isRead, toldOf } from './lenient-readers.ts';
import { malformedBodies, plannedBodies } from './malformed-bodies.ts';
import { bodySteps, evaluateBodyRefusals, probeBodies } from './refused-bodies.ts';

export const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-2',
  title: 'a call whose body is not JSON gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  // A service may look at the state of a session before the body; but a cancelled one is no reason to accept any body.
  steps: bodySteps(plannedBodies, { at: ({ role }) => role === 'ends-session', weight: 'medium' }),
  probe: (client, steps, operation) => {
    const withBody = client.operations.filter(({ requestSchema }) => requestSchema !== undefined);
    const nth = withBody.findIndex(({ id }) => id === operation.id);
    return probeBodies(client, steps, (valid) => malformedBodies(valid?.request.body?.text, nth));
  },
  evaluate: (evidence) =>
    evaluateBodyRefusals(evidence, {
      subject: () => 'A body that is not JSON',
      clauseOf: (exchange) => (isRead(exchange) ? 'lenient-reader' : undefined),
      told: toldOf,
    }),
});
