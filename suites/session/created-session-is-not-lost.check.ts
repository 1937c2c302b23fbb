import type { CollectiveCheck } from '../../harness/checks/check.ts';
import { comparedAnswers } from '../../harness/checks/compared-answers.ts';
import { endOf, hasStatus, startOf } from '../../harness/evidence/answer.ts';
import { refusedFirstUses } from '../surface/first-uses.ts';

/** Lost sessions before it is told. */
const fewestLost = 3;

/** The last part of a path that names a session, alone or to cancel it. */
const ofSession = /\/([^/?]+)(?:\/cancel)?$/;

export const check: CollectiveCheck = comparedAnswers({
  requirement: 'SESSION-1',
  title: 'a created session is not unknown for good at its first use, while others live longer',
  applies: ({ role }) => role === 'reads-session',
  dedupeKey: ({ id, request: { credential, values, path, method } }) => {
    const isUse = values['sessionId']?.value === ofSession.exec(path)?.[1];
    return credential.kind === 'scoped' && (isUse || method === 'POST') ? id : undefined;
  },
  look: (_mine, { operation: { peers = {} }, exchanges }) => {
    const isOf = (role: 'creates-session' | 'reads-session' | 'ends-session', operation: string): boolean =>
      peers[role] === operation;
    const lost = refusedFirstUses(
      {
        uses: exchanges.filter(
          ({ operation, request: { values } }) =>
            values['sessionId']?.source === 'captured' &&
            (isOf('reads-session', operation) || isOf('ends-session', operation)),
        ),
        issuing: exchanges.filter((one) => hasStatus(one, 200) && isOf('creates-session', one.operation)),
        textsOf: ({ request: { values } }) => new Set([values['sessionId']?.value ?? '']),
        isTelling: () => true,
        // A service may keep a number of sessions, of one account or in all.
        mayReplace: () => true,
      },
      404,
    );
    if (lost === undefined) return 'no session was used that a response names';
    // A restart may lose all sessions once.
    const isRepeated = lost.some(({ tries: [early] }) =>
      lost.some(({ issuer }) => startOf(issuer) > endOf(early)),
    );
    if (lost.length < fewestLost || !isRepeated) return [];
    return lost.map(({ tries: [exchange], waitedMs }) => ({
      exchange,
      actual: `404 to the first use of ${lost.length} sessions and to later ones, here ${(waitedMs / 1_000).toFixed(1)} s after the create`,
    }));
  },
  statement: 'Created sessions are lost: they are unknown at their first use and afterwards',
  expected: '200, as to other sessions, which lived for longer',
  fix: 'Keep each session until its own time is over. Look for what clears the store of sessions now and then: a job that cleans up or flushes a cache, a memory limit that evicts entries, an instance or a shard that keeps its own, or a write that is lost.',
  passes: 'no created session was unknown for good at its first use',
});
