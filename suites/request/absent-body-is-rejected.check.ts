import { evaluateBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';

const check: ActiveCheck = {
  kind: 'active',
  requirement: 'REQUEST-1',
  title: 'a call without its required body is answered 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  requests: () => 3,
  probe: (client, operation) =>
    probeBodies(client, operation, () => [
      { label: 'no body and no content type', body: 'none' },
      {
        label: 'no body under application/json',
        body: { bytes: Buffer.alloc(0), contentType: 'application/json' },
      },
    ]),
  evaluate: ({ exchanges }) => evaluateBodyRefusals(exchanges, { statement: 'an absent body is refused' }),
};

export default check;
