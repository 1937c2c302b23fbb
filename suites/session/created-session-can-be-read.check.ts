import type { ActiveCheck } from '../../harness/checks/check.ts';
import { namedSteps, witness } from '../../harness/checks/step.ts';
import { hasStatus } from '../../harness/evidence/answer.ts';
import { doubtAboutId, evaluateReads, isWrongRead } from './created-reads.ts';
import { SessionEvidence } from './session-evidence.ts';
import { unknownIdShownBy } from './session-identity.ts';
import { apart, joined, walkCheck } from './walk-check.ts';

const steps = namedSteps({
  // Its recorded values show whether the target file names the place of the id, or the harness guessed it.
  readCaptured: witness('reads a session with the captured id'),
  readByShownId: witness('reads the session by the id in the response'),
});

export const check: ActiveCheck = walkCheck({
  requirement: 'SESSION-1',
  title: 'A created session can be read, and the read returns that session',
  roles: ['reads-session'],
  walks: [
    joined('create A, read A, create B with text outside ASCII, read B, read A, read B at the same time'),
    // A session is good for more than a handful of reads.
    apart(
      'create A with Cache-Control: no-store, read A, read A, read A, read A, read A, read A, create B with text outside ASCII, read B, read A with Cache-Control: no-cache by its id percent-encoded, read B at the same time, read A at the same time, read A with the cookies of the service at the same time, create C with a much larger body at the same time, read C, cancel B, cancel A with text outside ASCII, read A, create D with one of each, read D, cancel D with quoted text, read D, cancel C, create E at the same time, create F at the same time, read E, read F, create G with one more member, read G',
    ),
  ],
  reports: isWrongRead,
  // The session has just been created, and nothing has happened since.
  isCertain: ({ rule }) => rule === 'status',
  steps,
  followUp: async ({ evidence, client }) => {
    const reads = evidence.called('read', 'A');
    if (reads.length > 0 && !reads.some((one) => hasStatus(one, 200)))
      await client.call(steps.readCaptured, { persistent: true });
    const first = reads.find((one) => hasStatus(one, 200));
    // As long as there was one session, only its id told that the read was about it.
    const exchanges = first === undefined ? [] : evidence.stepsTo(first);
    const sessionId = unknownIdShownBy(
      new SessionEvidence({ exchanges, operation: client.caseOperation }),
      first,
    );
    if (sessionId !== undefined) await client.call(steps.readByShownId, { parameters: { sessionId } });
  },
  first: doubtAboutId,
  evaluate: evaluateReads,
});
