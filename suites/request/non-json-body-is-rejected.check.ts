import { evaluateBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';
import { malformedBodies } from './malformed-bodies.ts';

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-2',
  title: 'a call whose body is not JSON is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 18,
  probe: (client, operation) =>
    probeBodies(client, operation, (sent) => malformedBodies(sent?.request.body?.text ?? '{"a":1}')),
  evaluate: ({ exchanges }) =>
    evaluateBodyRefusals(exchanges, { statement: 'a body that is not JSON is refused' }),
};

export default check;
