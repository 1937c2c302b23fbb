import { activeCheck } from '../../harness/checks/active-check.ts';
import { bodySteps, evaluateBodyRefusals, probeBodies } from '../../harness/checks/body-refusal.ts';
import type { ActiveCheck } from '../../harness/checks/check.ts';

const steps = bodySteps((_operation, _fuzzRuns, profile) => (profile === 'quick' ? 1 : 2));

const check: ActiveCheck = activeCheck({
  requirement: 'REQUEST-1',
  title: 'a call without its required body gets 400',
  applies: ({ requestSchema }) => requestSchema !== undefined,
  needs: () => ['valid-call'],
  steps,
  probe: (client, operation) =>
    probeBodies(client, operation, steps, () => [
      { label: 'no body and no content type', body: 'none', least: 'standard' },
      {
        label: 'no body under application/json',
        body: { bytes: Buffer.alloc(0), contentType: 'application/json' },
      },
    ]),
  evaluate: ({ steps }) => evaluateBodyRefusals(steps, { subject: 'A call without its body' }),
});

export default check;
