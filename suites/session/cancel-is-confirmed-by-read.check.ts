import type { ActiveCheck } from '../../harness/checks/check.ts';
import { control, namedSteps, witness } from '../../harness/checks/step.ts';
import { contradictedCancels, evaluateConfirmation } from './cancel-reports.ts';
import { volatilityReads } from './comparison.ts';
import { waitMs } from './session-client.ts';
import { sessionShownBy } from './session-identity.ts';
import { callOf, labelAlone } from './walk.ts';
import { apart, joined, walkCheck } from './walk-check.ts';

const steps = namedSteps({
  readAgain: witness('reads a cancelled session once more'),
  // A session that was never read tells a stale read from a lost cancel.
  createUnread: { role: 'setup', label: 'creates a session that is not read' },
  cancelUnread: control('cancels a session that was not read'),
  readUnread: witness('reads that session for the first time'),
});

export const check: ActiveCheck = walkCheck({
  requirement: 'SESSION-3',
  title: 'Reads after a cancel show what the cancel reported',
  roles: ['ends-session'],
  beginsFirst: true,
  walks: [
    joined('create A, read A, read A, cancel A, read A, cancel A, read A'),
    // A service that takes equal cancels for one would cancel the second session only by its words. A further cancel can
    // hide that one was lost or undone: so one, two and three cancels come before the reads at the end.
    apart(
      'create A, cancel A, create B, read B, read B, read B accepting gzip, read B with a query, cancel B on a closing connection, read B, read B, cancel B, cancel B, create C, read C, cancel C at the same time, create D, read D, cancel D with what its read shows, read D a moment later, cancel D, create E, read E, create F, read F, create J, cancel J with long text, create G, create H, create I, read G, cancel G at the same time, read H at the same time, cancel H at the same time, read I at the same time, cancel I at the same time, wait 2 s, wait 2 s, read B, read B accepting gzip, read B with a query, read C, read D, read G, read H, read I, read J, cancel F, cancel E by its id in capitals, read E, wait 2 s, read F if it has changed, read F',
    ),
  ],
  reports: ({ rule, state, end, sent }, session) => {
    if (rule !== 'identity') return rule === 'cancel';
    const before = sent.find((one) => one.operation === end.operation);
    const wasOwn = before !== undefined && sessionShownBy(session, before) === 'own';
    return state === 'ended' && wasOwn && session.is('reads-session', end);
  },
  clauseOf: ({ rule }) => (rule === 'identity' ? 'another-session' : undefined),
  steps,
  followUp: async (sessions, more) => {
    // Fields that change at random show no contradiction, one read alone may be of a replica that lags, and some keep what
    // they have read for as long as it is asked for.
    for (let reads = 1; reads < volatilityReads; reads += 1) {
      const [contradicted] = contradictedCancels(sessions.evidence);
      if (contradicted === undefined) return;
      if (!contradicted.isKept) await sessions.client.pause(waitMs / volatilityReads);
      // In the representation that shows it.
      const read = contradicted.reads.at(-1);
      const call = read && callOf(read);
      await more(call === undefined ? 'read A' : labelAlone(call), steps.readAgain);
    }
    if (!contradictedCancels(sessions.evidence).some(({ isKept, pointers }) => isKept && pointers.length > 0))
      return;
    const unread = await sessions.walk('create A', steps.createUnread);
    await unread('cancel A', steps.cancelUnread);
    await unread('read A', steps.readUnread);
  },
  evaluate: evaluateConfirmation,
});
